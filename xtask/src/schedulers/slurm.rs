//! Runs the recipe for Slurm with a controller, a node and MUNGE on this machine, as the current user.

use std::fs::{self, File};
use std::io::Read;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use super::{Place, SHARDS, stderr};
use crate::run::succeed;

/// The shard that is killed.
const KILLED: u32 = 3;

/// Maximum time for a change of state.
const PATIENCE: Duration = Duration::from_secs(60);

/// The services. Dropping them ends all jobs, and then the services.
struct Slurm<'a> {
    place: &'a Place,
    services: Vec<Child>,
}

pub fn run(place: &Place) -> Result<()> {
    let slurm = Slurm::start(place)?;
    let words = place.work(1_500_000)?;
    slurm.submit(&format!("0-{}", SHARDS.parse::<u32>()? - 1), &words)?;
    slurm.kill_one()?;
    slurm
        .wait_for("the end of the jobs", || Ok(slurm.ask("squeue", &["--noheader"])?.is_empty()))?;
    place.check(&words, SHARDS.parse()?)?;
    // Two results are lost.
    for shard in [5, 6] {
        fs::remove_file(place.folder.join(format!("results/shard-{shard}")))?;
    }
    let missing = place.missing()?;
    ensure!(missing == "5-6", "missing: {missing}");
    slurm.submit(&missing, &words)?;
    slurm
        .wait_for("the end of the jobs", || Ok(slurm.ask("squeue", &["--noheader"])?.is_empty()))?;
    place.check(&words, SHARDS.parse()?)
}

impl<'a> Slurm<'a> {
    /// Starts the services and waits until the node is idle.
    fn start(place: &'a Place) -> Result<Self> {
        let folder = &place.folder;
        for name in ["run", "state", "spool"] {
            fs::create_dir_all(folder.join(name))?;
        }
        let mut key = vec![0; 1024];
        File::open("/dev/urandom")?.read_exact(&mut key)?;
        fs::write(folder.join("munge.key"), key)?;
        fs::set_permissions(folder.join("munge.key"), fs::Permissions::from_mode(0o400))?;
        fs::write(folder.join("slurm.conf"), configuration(folder)?)?;
        let mut slurm = Self { place, services: Vec::new() };
        let path = |option: &str, name: &str| format!("--{option}={}", folder.join(name).display());
        slurm.serve(
            "munged",
            &[
                "--foreground",
                "--force",
                &path("key-file", "munge.key"),
                &path("socket", "run/munge.socket"),
                &path("pid-file", "run/munged.pid"),
                &path("log-file", "munged.log"),
                &path("seed-file", "munge.seed"),
            ],
        )?;
        slurm.wait_for("MUNGE", || Ok(folder.join("run/munge.socket").exists()))?;
        slurm.serve("slurmctld", &["-D"])?;
        slurm.serve("slurmd", &["-D", "-N", "localhost"])?;
        slurm.wait_for("the node", || {
            Ok(slurm
                .ask("sinfo", &["--noheader", "--format=%T"])
                .is_ok_and(|state| state == "idle"))
        })?;
        Ok(slurm)
    }

    /// Starts a service, whose messages go to a file.
    fn serve(&mut self, name: &str, arguments: &[&str]) -> Result<()> {
        let messages = File::create(self.place.folder.join(format!("{name}.messages")))?;
        let mut command = self.command(name);
        command.args(arguments).stdin(Stdio::null()).stdout(messages.try_clone()?).stderr(messages);
        self.services.push(command.spawn().with_context(|| format!("cannot run {name}"))?);
        Ok(())
    }

    fn command(&self, program: &str) -> Command {
        let mut command = self.place.command(program);
        command.env("SLURM_CONF", self.place.folder.join("slurm.conf"));
        command
    }

    /// Returns the output of a program, without the space around it.
    fn ask(&self, program: &str, arguments: &[&str]) -> Result<String> {
        let output = self.command(program).args(arguments).output()?;
        ensure!(output.status.success(), "{program}: {}", stderr(&output));
        Ok(String::from_utf8(output.stdout)?.trim().to_owned())
    }

    /// Submits tasks of the recipe. The options replace those in it, which are for larger nodes.
    fn submit(&self, tasks: &str, words: &[String]) -> Result<()> {
        let mut sbatch = self.command("sbatch");
        sbatch.args([&format!("--array={tasks}"), "--cpus-per-task=1", "--mem=200M"]);
        sbatch.arg("--output=task-%a.log").arg(&self.place.recipe);
        succeed(sbatch.args([SHARDS, "results"]).args(words))
    }

    /// Kills the process of a shard that has answered some boards, and waits until Slurm has queued its task again.
    fn kill_one(&self) -> Result<()> {
        let answers = self.place.folder.join(format!("results/shard-{KILLED}"));
        let has_answers = || Ok(fs::metadata(&answers).is_ok_and(|file| file.len() > 0));
        self.wait_for("answers", has_answers)?;
        let process =
            self.process_of(KILLED)?.context("the shard had ended before it was killed")?;
        succeed(Command::new("kill").args(["-9", &process]))?;
        let task = "--format=%i %r";
        let mut queued = None;
        self.wait_for("the task in the queue", || {
            let jobs = self.ask("squeue", &["--noheader", task, "--states=PENDING"])?;
            let mut again = jobs.lines().filter(|line| line.ends_with(" BeginTime"));
            queued = again.next().map(|line| line.replace(" BeginTime", ""));
            Ok(queued.is_some())
        })?;
        let id = queued.context("a task")?;
        ensure!(id.ends_with(&format!("_{KILLED}")), "{id} was queued again");
        // Slurm waits for two minutes before it starts a task again.
        succeed(self.command("scontrol").args(["update", &format!("JobId={id}"), "StartTime=now"]))
    }

    /// Returns the number of the process that searches a shard in this folder.
    fn process_of(&self, shard: u32) -> Result<Option<String>> {
        let words = format!("\0--shard\0{shard}/{SHARDS}\0--save\0results/shard-{shard}\0");
        for entry in fs::read_dir("/proc")? {
            let path = entry?.path();
            // Processes may have ended.
            let command = fs::read(path.join("cmdline")).unwrap_or_default();
            let is_here =
                || fs::read_link(path.join("cwd")).is_ok_and(|cwd| cwd == self.place.folder);
            if String::from_utf8_lossy(&command).contains(&words) && is_here() {
                return Ok(path.file_name().map(|name| name.to_string_lossy().into_owned()));
            }
        }
        Ok(None)
    }

    /// Waits until `is_done`.
    fn wait_for(&self, what: &str, mut is_done: impl FnMut() -> Result<bool>) -> Result<()> {
        let start = Instant::now();
        while !is_done()? {
            if start.elapsed() > PATIENCE {
                bail!(
                    "waited for {what} too long; messages are in {}",
                    self.place.folder.display()
                );
            }
            thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }
}

impl Drop for Slurm<'_> {
    fn drop(&mut self) {
        // Errors are ignored: some services may not run.
        let _ = self.ask("scancel", &["--signal=KILL", "--full", "--name=loyd"]);
        while let Some(mut service) = self.services.pop() {
            // The controller ends its own helper only if it ends by itself.
            let _ = Command::new("kill").arg(service.id().to_string()).status();
            let _ = self.wait_for("the end", || Ok(service.try_wait()?.is_some()));
            let _ = service.kill();
            let _ = service.wait();
        }
    }
}

/// Returns the configuration of a controller and a node on the loopback interface, with free ports.
fn configuration(folder: &Path) -> Result<String> {
    let listeners = [TcpListener::bind("127.0.0.1:0")?, TcpListener::bind("127.0.0.1:0")?];
    let [controller, node] =
        listeners.each_ref().map(|listener| listener.local_addr().map(|at| at.port()));
    let host = fs::read_to_string("/proc/sys/kernel/hostname")?;
    let host = host.trim().split('.').next().unwrap_or_default();
    let user = Command::new("id").arg("--user").arg("--name").output()?;
    let user = String::from_utf8(user.stdout)?;
    let (user, folder, controller, node) = (user.trim(), folder.display(), controller?, node?);
    Ok(format!(
        "ClusterName=loyd
SlurmctldHost={host}(127.0.0.1)
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
SlurmctldPort={controller}
SlurmdPort={node}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
CryptoType=crypto/munge
AuthInfo=socket={folder}/run/munge.socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/run/slurmctld.pid
SlurmdPidFile={folder}/run/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_interval=1
MpiDefault=none
ReturnToService=2
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MinJobAge=10
SlurmdParameters=config_overrides
NodeName=localhost NodeAddr=127.0.0.1 CPUs=4 RealMemory=2000 State=UNKNOWN
PartitionName=main Nodes=localhost Default=YES MaxTime=INFINITE State=UP OverSubscribe=NO
"
    ))
}
