"""Uses DuckDB's httpfs as analysts do. Asserts; the exit code tells. Usage: duckdb_client.py SCENARIO"""

import os
import sys
from urllib.parse import urlsplit

import duckdb
from duckdb_extensions import import_extension

BUCKET = os.environ["BUCKET"]
endpoint = urlsplit(os.environ["AWS_ENDPOINT_URL"])

db = duckdb.connect(config={"extension_directory": os.path.join(os.environ["HOME"], "extensions")})
import_extension("httpfs", con=db)
db.sql("LOAD httpfs")
if endpoint.scheme == "https":
    db.execute("SET ca_cert_file = ?", [os.environ["AWS_CA_BUNDLE"]])
db.execute(f"""
    CREATE SECRET (
        TYPE s3,
        KEY_ID '{os.environ["AWS_ACCESS_KEY_ID"]}',
        SECRET '{os.environ["AWS_SECRET_ACCESS_KEY"]}',
        ENDPOINT '{endpoint.netloc}',
        URL_STYLE 'path',
        USE_SSL {endpoint.scheme == "https"}
    )
""")


def value(query):
    return db.sql(query).fetchone()[0]


def tables():
    # The smallest parts that S3 allows; hashes do not compress, so that there are several.
    db.sql("SET s3_uploader_max_filesize = '50GB'")
    db.sql("CREATE TABLE numbers AS SELECT i, hash(i) AS h, md5(i::VARCHAR) AS t FROM range(1_000_000) r(i)")
    db.sql(f"COPY numbers TO 's3://{BUCKET}/numbers of +1%.parquet'")
    assert value(f"SELECT count(*) FROM 's3://{BUCKET}/numbers of +1%.parquet'") == 1_000_000
    difference = f"FROM numbers EXCEPT FROM 's3://{BUCKET}/numbers of +1%.parquet'"
    assert value(f"SELECT count(*) FROM ({difference})") == 0
    # Reads a few ranges of the file, not all of it.
    assert value(f"SELECT t FROM 's3://{BUCKET}/numbers of +1%.parquet' WHERE i = 654321") == value(
        "SELECT md5('654321')"
    )


def partitions():
    db.sql(f"""
        COPY (SELECT i, i % 3 AS part FROM range(3000) r(i))
        TO 's3://{BUCKET}/tree' (FORMAT csv, PARTITION_BY part)
    """)
    files = db.sql(f"FROM glob('s3://{BUCKET}/tree/**/*.csv')").fetchall()
    assert len(files) == 3, files
    assert value(f"SELECT sum(i) FROM read_csv('s3://{BUCKET}/tree/*/*.csv', hive_partitioning = true)") == 4498500


def listing():
    """The bucket holds 3,000 keys already."""
    assert value(f"SELECT count(*) FROM glob('s3://{BUCKET}/**')") == 3000


if __name__ == "__main__":
    globals()[sys.argv[1]]()
