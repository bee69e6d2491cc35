// Only what apps/common/processor.cpp does before main.
int main() {
  return 0;
}
