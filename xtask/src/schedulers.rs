//! Runs the recipes of `docs/many-machines`, each with its scheduler.

mod slurm;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, id};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::run::{find_program, succeed};
use crate::serving::build_test_program;
use crate::venv::{Venv, check_python};

/// Run the recipes of `docs/many-machines`, each with its scheduler on this machine, and compare the joined results with
/// those of one process (needs Slurm, MUNGE, GNU parallel, and Python 3 with `venv`).
#[derive(clap::Args)]
pub struct Args {
    /// Only recipes whose names have one of these prefixes
    names: Vec<String>,
    /// The `loyd` program [default: the one that the tests run]
    #[arg(long, value_name = "PATH")]
    program: Option<PathBuf>,
}

/// The folder of the recipes.
const FOLDER: &str = "docs/many-machines";

type Recipe = (&'static str, fn(&Place) -> Result<()>);

const RECIPES: [Recipe; 4] = [
    ("hyperqueue.sh", hyperqueue),
    ("kubernetes.yaml", kubernetes),
    ("parallel.sh", parallel),
    ("slurm.sh", slurm::run),
];

/// The programs that the recipes need, and their packages of Debian.
const PROGRAMS: [(&str, &str); 6] = [
    ("munged", "munge"),
    ("parallel", "parallel"),
    ("python3", "python3 python3-venv"),
    ("sbatch", "slurm-client"),
    ("slurmctld", "slurmctld"),
    ("slurmd", "slurmd"),
];

/// Number of shards.
const SHARDS: &str = "8";

/// A folder for the files of a recipe, and what it runs.
struct Place {
    folder: PathBuf,
    /// The folder of the program under test, before those in `PATH`.
    path: String,
    recipe: PathBuf,
}

pub fn run(args: &Args) -> Result<()> {
    check_programs()?;
    let program = match &args.program {
        Some(path) => fs::canonicalize(path).with_context(|| path.display().to_string())?,
        None => build_test_program()?,
    };
    let programs = program.parent().context("a program is in a folder")?.display();
    let path = format!("{programs}:{}:/usr/sbin", env::var("PATH").unwrap_or_default());
    let all = env::temp_dir().join(format!("loyd-schedulers-{}", id()));
    let is_selected = |name: &str| {
        args.names.is_empty() || args.names.iter().any(|begin| name.starts_with(begin))
    };
    for (name, try_recipe) in RECIPES.iter().filter(|(name, _)| is_selected(name)) {
        eprintln!("== {name}");
        let recipe = fs::canonicalize(Path::new(FOLDER).join(name))?;
        let place = Place { folder: all.join(name), path: path.clone(), recipe };
        fs::create_dir_all(&place.folder)?;
        try_recipe(&place).with_context(|| format!("{name} in {}", place.folder.display()))?;
    }
    Ok(fs::remove_dir_all(all)?)
}

/// Checks that the programs are installed.
///
/// # Errors
/// Names the packages of Debian to install.
pub fn check_programs() -> Result<()> {
    let is_missing =
        |name: &str| find_program(name).is_none() && !Path::new("/usr/sbin").join(name).is_file();
    let missing: Vec<&str> =
        PROGRAMS.iter().filter(|(name, _)| is_missing(name)).map(|&(_, package)| package).collect();
    match missing.is_empty() {
        true => check_python(),
        false => bail!("programs are missing: `apt-get install {}`", missing.join(" ")),
    }
}

impl Place {
    /// Returns a command that runs in the folder, with the program under test in its path.
    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.folder).env("PATH", &self.path).env("LOYD_CACHE", "none");
        command
    }

    /// Writes a file of boards, and returns the words that solve it, expanding at most `nodes` nodes for each.
    fn work(&self, nodes: u32) -> Result<Vec<String>> {
        let boards = self
            .command("loyd")
            .args(["scramble", "--size", "4x4", "-n", "48"])
            .arg("--seed=1")
            .output()?;
        fs::write(self.folder.join("boards.txt"), boards.stdout)?;
        let words = format!(
            "solve -f boards.txt --algorithm idastar --heuristic linear-conflict --max-expanded {nodes}"
        );
        Ok(words.split(' ').map(str::to_owned).collect())
    }

    /// Returns the numbers of the shards without a complete result.
    fn missing(&self) -> Result<String> {
        let output = self.command("loyd").args(["merge", "--missing", "results"]).output()?;
        ensure!(matches!(output.status.code(), Some(0 | 1)), "{}", stderr(&output));
        Ok(String::from_utf8(output.stdout)?.trim().to_owned())
    }

    /// Checks that the joined results are what one process prints, and have its exit status.
    fn check(&self, words: &[String], shards: u32) -> Result<()> {
        let whole = self.command("loyd").args(words).output()?;
        let files = (0..shards).map(|shard| format!("results/shard-{shard}"));
        let merged = self.command("loyd").arg("merge").args(files).output()?;
        ensure!(merged.status.code() == whole.status.code(), "{}", stderr(&merged));
        ensure!(!whole.stdout.is_empty(), "{}", stderr(&whole));
        ensure!(merged.stdout == whole.stdout, "the joined results differ");
        ensure!(self.missing()?.is_empty(), "results are missing");
        Ok(())
    }
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Returns the environment with HyperQueue and a parser of YAML.
fn environment() -> Result<Venv> {
    let venv = Venv::open("schedulers")?;
    let list = Path::new(FOLDER).join("requirements.txt");
    succeed(venv.pip_install().args(["--require-hashes", "--requirement"]).arg(list))?;
    Ok(venv)
}

fn hyperqueue(place: &Place) -> Result<()> {
    let (venv, words) = (environment()?, place.work(30_000)?);
    let submit = include_str!("schedulers/submit.py");
    let mut python = place.command(&venv.program("python").to_string_lossy());
    python.args(["-c", submit]).arg(&place.recipe).args([SHARDS, "results"]).args(&words);
    succeed(&mut python)?;
    place.check(&words, SHARDS.parse()?)
}

fn parallel(place: &Place) -> Result<()> {
    let words = place.work(30_000)?;
    let run =
        || succeed(place.command("bash").arg(&place.recipe).args([SHARDS, "results"]).args(&words));
    run()?;
    place.check(&words, SHARDS.parse()?)?;
    fs::remove_file(place.folder.join("results/shard-3"))?;
    ensure!(place.missing()? == "3", "the lost result is not missing");
    run()?;
    place.check(&words, SHARDS.parse()?)
}

/// Reads the Job, and does what Kubernetes does: it runs the command for each index, in the folder of the volume.
fn kubernetes(place: &Place) -> Result<()> {
    const READ: &str = "import json, sys; from ruamel.yaml import YAML; \
                        json.dump(YAML(typ='safe', pure=True).load(open(sys.argv[1])), sys.stdout)";
    let venv = environment()?;
    let output = venv.command("python").args(["-c", READ]).arg(&place.recipe).output()?;
    let job: Value = serde_json::from_slice(&output.stdout).with_context(|| stderr(&output))?;
    let spec = &job["spec"];
    ensure!(job["apiVersion"] == "batch/v1" && job["kind"] == "Job", "it is not a Job");
    ensure!(spec["completionMode"] == "Indexed", "it has no indexes");
    // Both are required for `backoffLimitPerIndex` and `FailIndex`.
    ensure!(spec["template"]["spec"]["restartPolicy"] == "Never", "its pods restart");
    ensure!(spec["backoffLimitPerIndex"].is_u64(), "it has no limit for each index");
    let container = &spec["template"]["spec"]["containers"][0];
    for rule in spec["podFailurePolicy"]["rules"].as_array().context("it has no rules")? {
        let names = &rule["onExitCodes"]["containerName"];
        ensure!(names.is_null() || *names == container["name"], "a rule is for no container");
    }
    let mounts = container["volumeMounts"].as_array().context("it has no volumes")?;
    let is_mounted = mounts.iter().any(|mount| mount["mountPath"] == container["workingDir"]);
    ensure!(is_mounted, "its working directory is not shared");
    let completions = spec["completions"].as_u64().context("it has no number of shards")?;
    ensure!(spec["maxFailedIndexes"] == completions, "it ends before all indexes have");
    let words = |name: &str| -> Result<Vec<String>> {
        Ok(serde_json::from_value(container[name].clone())?)
    };
    let (command, arguments) = (words("command")?, words("args")?);
    let (program, script) = command.split_first().context("it has no command")?;
    place.work(1)?;
    let limited = ["--algorithm", "idastar", "--max-expanded", "1000"].map(str::to_owned);
    let arguments = [arguments, limited.to_vec()].concat();
    for index in 0..completions {
        let mut pod = place.command(program);
        pod.args(script).args(&arguments).env("JOB_COMPLETION_INDEX", index.to_string());
        let output = pod.output()?;
        ensure!(output.status.success(), "index {index}: {}", stderr(&output));
    }
    place.check(&arguments, u32::try_from(completions)?)
}
