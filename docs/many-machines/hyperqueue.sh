#!/bin/bash
# An array of HyperQueue with a task for each shard:
#   hq submit --array 0-99 --cpus 2 hyperqueue.sh 100 results solve -f boards.txt --threads 2
# HyperQueue repeats a task that has lost its worker. Later, for the tasks without a complete result, until there are none:
#   missing="$(loyd merge --missing results)"
#   hq submit --array "$missing" --cpus 2 hyperqueue.sh 100 results solve -f boards.txt --threads 2
shards="$1" folder="$2" shard="$HQ_TASK_ID"
shift 2
mkdir -p "$folder"
exec loyd "$@" --shard "$shard/$shards" --save "$folder/shard-$shard" --resume
