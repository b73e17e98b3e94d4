#!/usr/bin/env python3
"""Analyses positions under Apache Spark: griot analyse behind RDD.pipe, one process for each partition.

    pip install pyspark                                     and a Java that it runs on
    python3 examples/spark_analyse.py positions.txt --depth 12 > answers.jsonl
    python3 examples/spark_analyse.py --master spark://host:7077 --engine /opt/griot --out hdfs:///answers \\
        hdfs:///positions --nodes 1000000

What it does not know itself is handed to griot analyse (griot analyse --help). The answers come in the order of the
positions and are those of one process; but without line numbers, which a partition would count from its own beginning.
The engine must be at the same path on every machine.
"""

import argparse
import os
import shlex
import shutil
import sys
import time

DEFAULT_ENGINE = "target/release/griot"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("positions", help="a file or directory of positions, one a line, by a path that Spark reads")
    parser.add_argument("--engine", default=DEFAULT_ENGINE, help="the griot that is run; %(default)s")
    parser.add_argument("--master", default="local-cluster[2,1,1024]",
                        help="the cluster; %(default)s: two workers of one core and 1024 MiB, on this machine")
    parser.add_argument("--partitions", type=int, default=8,
                        help="the least number of parts the positions are cut into; %(default)s")
    parser.add_argument("--out", help="a directory that Spark writes the answers to, instead of stdout")
    return parser.parse_known_args()


def context(master):
    import pyspark

    # A cluster of processes on this machine starts them by the scripts of the package.
    os.environ.setdefault("SPARK_HOME", os.path.dirname(pyspark.__file__))
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    conf = pyspark.SparkConf().setMaster(master).setAppName("griot analyse")
    conf.set("spark.ui.enabled", "false").set("spark.ui.showConsoleProgress", "false")
    if master.startswith("local"):
        # Nobody else is to reach it.
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
        conf.set("spark.driver.host", "127.0.0.1").set("spark.driver.bindAddress", "127.0.0.1")
    spark = pyspark.SparkContext(conf=conf)
    spark.setLogLevel("ERROR")
    return spark


def main():
    ours, theirs = arguments()
    engine = os.path.abspath(ours.engine) if os.path.dirname(ours.engine) else ours.engine
    if not shutil.which(engine):
        sys.exit(f"there is no program '{ours.engine}'; build it with 'cargo build --release', or give --engine")
    command = shlex.join([engine, "analyse", "--omit", "line", *theirs])
    start = time.monotonic()
    try:
        spark = context(ours.master)
    except ImportError:
        sys.exit("there is no pyspark; 'pip install pyspark' gets it")
    ready = time.monotonic()
    positions = spark.textFile(ours.positions, ours.partitions)
    answers = positions.pipe(command, checkCode=True)
    try:
        if ours.out:
            answers.saveAsTextFile(ours.out)
        else:
            for answer in answers.collect():
                print(answer)
            sys.stdout.flush()
        done = time.monotonic()
        print(f"spark: {ready - start:.2f} s to start, {done - ready:.2f} s at work, "
              f"{positions.getNumPartitions()} partitions", file=sys.stderr)
    finally:
        spark.stop()


if __name__ == "__main__":
    main()
