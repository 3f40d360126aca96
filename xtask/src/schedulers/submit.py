"""Submits a script to HyperQueue as an array, with a server and a worker on this machine."""

import sys

from hyperqueue import Job, LocalCluster
from hyperqueue.cluster import WorkerConfig

script, shards, *words = sys.argv[1:]
with LocalCluster() as cluster:
    cluster.start_worker(WorkerConfig(cores=2))
    job = Job(max_fails=None)
    # Tasks are numbered from 0, like those of `hq submit --array`.
    for _ in range(int(shards)):
        job.program(["bash", script, shards, *words], stdout=None, stderr=None)
    client = cluster.client()
    client.wait_for_jobs([client.submit(job)])
