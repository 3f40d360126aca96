#!/bin/bash
# An array job of Slurm with a task for each shard:
#   sbatch --array=0-99 slurm.sh 100 results solve -f boards.txt
# Later, for the tasks without a complete result, until there are none:
#   missing="$(loyd merge --missing results)"
#   sbatch --array="$missing" slurm.sh 100 results solve -f boards.txt
#SBATCH --job-name=loyd
#SBATCH --cpus-per-task=2
#SBATCH --mem=2G
#SBATCH --time=24:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
shards="$1" folder="$2" shard="$SLURM_ARRAY_TASK_ID"
shift 2
mkdir -p "$folder"
loyd "$@" --threads "${SLURM_CPUS_PER_TASK:-1}" --shard "$shard/$shards" --save "$folder/shard-$shard" --resume
status=$?
# A signal ended it, such as that of a limit on memory. A task that is queued again resumes.
if [ "$status" -gt 128 ] && [ "${SLURM_RESTART_COUNT:-0}" -lt 3 ]; then
    scontrol requeue "${SLURM_ARRAY_JOB_ID}_$shard"
fi
exit "$status"
