#!/usr/bin/env bash
# scripts/lib/one-node-slurm.sh start FOLDER [CORES]     a Slurm of its own on this machine, everything of it in FOLDER
# scripts/lib/one-node-slurm.sh stop FOLDER              ends it
# For trying --slurm and for its test, not for work. After start: export SLURM_CONF=FOLDER/slurm.conf
# Needs Debian's slurm-wlm and munge (WITH_SLURM=1 scripts/test.sh installs them); runs as whoever calls it, and touches no Slurm
# that is there already. Exit status 77 where the programs are missing.
set -euo pipefail

usage() { sed -n '2,6s/^# //p' "$0" >&2; exit 1; }
give_up() { printf 'one-node-slurm.sh: %s\n' "$*" >&2; exit 1; }
fail() { stop; give_up "$@"; }
[ $# -ge 2 ] || usage
action=$1
mkdir -p "$2"
folder=$(cd "$2" && pwd)
cores=${3:-$(nproc)}
PATH=$PATH:/usr/sbin:/sbin

need_programs() {
  local program
  for program in munged slurmctld slurmd sbatch sinfo; do
    command -v "$program" >/dev/null && continue
    printf 'one-node-slurm.sh: there is no %s. On Debian: apt-get install slurm-wlm munge\n' "$program" >&2
    exit 77
  done
}

free_port() {
  /usr/bin/python3 -c 'import socket; s = socket.socket(); s.bind(("", 0)); print(s.getsockname()[1])'
}

write_configuration() {
  local host memory
  host=$(hostname -s)
  memory=$(awk '/^MemTotal/ { print int($2 / 1024 * 0.8) }' /proc/meminfo)
  cat >"$folder/slurm.conf" <<EOM
ClusterName=one
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
CryptoType=crypto/munge
AuthInfo=socket=$folder/munge.socket
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
StateSaveLocation=$folder/controller
SlurmdSpoolDir=$folder/node
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0,sched_interval=1,bf_interval=1
ReturnToService=2
KillWait=5
InactiveLimit=0
NodeName=$host NodeAddr=127.0.0.1 CPUs=$cores RealMemory=$memory State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
EOM
}

start() {
  need_programs
  [ ! -e "$folder/slurmctld.pid" ] || give_up "there is one in $folder already; stop it first"
  mkdir -p "$folder/controller" "$folder/node"
  chmod 700 "$folder"
  [ -e "$folder/munge.key" ] || (umask 077 && head -c 1024 /dev/urandom >"$folder/munge.key")
  munged --force --key-file "$folder/munge.key" --socket "$folder/munge.socket" --pid-file "$folder/munged.pid" \
    --log-file "$folder/munged.log" --seed-file "$folder/munge.seed" 2>>"$folder/munged.err" || fail "munged did not start: $(cat "$folder/munged.err")"
  write_configuration
  export SLURM_CONF=$folder/slurm.conf
  slurmctld -c -f "$SLURM_CONF" || fail "slurmctld did not start, see $folder/slurmctld.log"
  slurmd -c -f "$SLURM_CONF" -N "$(hostname -s)" || fail "slurmd did not start, see $folder/slurmd.log"
  local tries=100
  until sinfo -h -t idle -o %T 2>/dev/null | grep -q idle; do
    tries=$((tries - 1))
    [ $tries -gt 0 ] || { fail "the node does not come up, see $folder/slurmctld.log and $folder/slurmd.log"; }
    sleep 0.2
  done
  printf 'export SLURM_CONF=%s\n' "$SLURM_CONF"
}

# By the numbers that they left, each only if it still is that program.
stop() {
  local program pid ending=()
  for program in slurmd slurmctld munged; do
    [ -s "$folder/$program.pid" ] || continue
    pid=$(cat "$folder/$program.pid")
    if [ "$(cat "/proc/$pid/comm" 2>/dev/null)" = "$program" ]; then
      kill "$pid" 2>/dev/null || true
      ending+=("$pid")
    fi
    rm -f "$folder/$program.pid"
  done
  for pid in "${ending[@]}"; do
    for _ in $(seq 100); do [ -d "/proc/$pid" ] || break; sleep 0.1; done
  done
}

case $action in
  start) start ;;
  stop) stop ;;
  *) usage ;;
esac
