#!/bin/bash
# Runs a task for each shard with GNU parallel:
#   parallel.sh 100 results solve -f boards.txt --threads 2
# The variable PARALLEL has its options, for example the hosts, which share the folder:
#   PARALLEL="--sshloginfile hosts --workdir $PWD --jobs 50%" parallel.sh ...
# A task that fails is tried twice more. The same command resumes those without a complete result.
shards="$1" folder="$2"
shift 2
mkdir -p "$folder"
seq 0 "$((shards - 1))" |
    parallel --quote --retries 3 loyd "$@" --shard "{}/$shards" --save "$folder/shard-{}" --resume
