// pogo LAW FRACTION SECONDS [THICKNESS]: the energy of a pogo stick (tests/asynchronous/pogo.hpp) by twelfths of the
// time, J: mean, lowest, highest. Laws: regular, restarted, reflected. docs/papers/harmon-2009.md has what came out.
#include "asynchronous/pogo.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

int main(int count, char** words) {
  constexpr const char* laws[] = {"regular", "restarted", "reflected"};
  int law = 0;
  while (count >= 4 && law < 3 && std::strcmp(words[1], laws[law]) != 0) ++law;
  const double fraction = count >= 4 ? std::atof(words[2]) : 0, thickness = count > 4 ? std::atof(words[4]) : 0.1;
  const long seconds = count >= 4 ? std::atol(words[3]) : 0;
  if (law > 2 || !(fraction > 0) || !(thickness > 0) || seconds < 12) {
    std::fprintf(stderr, "usage: pogo regular|restarted|reflected FRACTION SECONDS [THICKNESS]\n");
    return 1;
  }
  sim::test::Pogo pogo(0.1, thickness, 1000, fraction);
  pogo.law = static_cast<sim::test::PogoLaw>(law);
  for (int part = 1; part <= 12; ++part) {
    double sum = 0, lowest = 1e300, highest = 0;
    const long length = seconds / 12;
    for (long n = 0; n < length; ++n) {
      pogo.advance();
      const double energy = pogo.energy();
      sum += energy, lowest = std::min(lowest, energy), highest = std::max(highest, energy);
    }
    std::printf("%.5g %.5g %.5g\n", sum / static_cast<double>(length), lowest, highest);
    std::fflush(stdout);
  }
}
