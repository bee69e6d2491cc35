#include "mesh/apart.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

namespace sim {

namespace {

void write_all(int file, const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t written = write(file, data, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) _exit(1);
    data += written;
    size -= static_cast<std::size_t>(written);
  }
}

[[noreturn]] void work_and_exit(const std::function<std::vector<double>()>& work, int answer_file) {
  for (const int signal_number : {SIGINT, SIGTERM, SIGABRT, SIGSEGV, SIGFPE, SIGBUS, SIGILL}) {
    std::signal(signal_number, SIG_DFL);
  }
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  const int nowhere = open("/dev/null", O_WRONLY);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  try {
    const std::vector<double> answer = work();
    write_all(answer_file, reinterpret_cast<const char*>(answer.data()), answer.size() * sizeof(double));
  } catch (...) {
    _exit(1);
  }
  _exit(0);
}

std::string read_all(int file) {
  std::string bytes;
  std::vector<char> buffer(1 << 16);
  while (true) {
    const ssize_t count = read(file, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return bytes;
    bytes.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace

std::vector<double> run_apart(const std::function<std::vector<double>()>& work, std::string& failure) {
  failure.clear();
  int ends[2];
  if (pipe(ends) != 0) {
    failure = std::string("could not be started: ") + std::strerror(errno);
    return {};
  }
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    work_and_exit(work, ends[1]);
  }
  const int fork_error = errno;
  close(ends[1]);
  const std::string bytes = child > 0 ? read_all(ends[0]) : std::string();
  close(ends[0]);
  if (child < 0) {
    failure = std::string("could not be started: ") + std::strerror(fork_error);
    return {};
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) {
    const int number = WTERMSIG(status);
    failure = "was stopped by signal " + std::to_string(number) + " (" + strsignal(number) + ")";
    return {};
  }
  if (WEXITSTATUS(status) != 0) {
    failure = "gave up";
    return {};
  }
  std::vector<double> answer(bytes.size() / sizeof(double));
  std::memcpy(answer.data(), bytes.data(), answer.size() * sizeof(double));
  return answer;
}

}  // namespace sim
