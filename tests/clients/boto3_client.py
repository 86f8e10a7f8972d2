"""Uses boto3 as programs do, with its defaults. Asserts; the exit code tells. Usage: boto3_client.py SCENARIO [KEY...]"""

import hashlib
import io
import os
import sys
import urllib.error
import urllib.request
from urllib.parse import urlsplit

import boto3
from boto3.s3.transfer import TransferConfig
from botocore.config import Config
from botocore.exceptions import ClientError

BUCKET = os.environ["BUCKET"]
OTHER_BUCKET = os.environ["OTHER_BUCKET"]
PART = 5 * 1024 * 1024
LARGE = os.urandom(2 * PART + 345)
ALGORITHMS = ("CRC32", "CRC32C", "CRC64NVME", "SHA1", "SHA256")

session = boto3.Session(region_name="us-east-1")
s3 = session.client("s3")
# In AWS's oldest regions boto3 presigns with the second version of the signature unless told otherwise.
presigner = session.client("s3", config=Config(signature_version="s3v4"))


def read(key, bucket=BUCKET, **options):
    return s3.get_object(Bucket=bucket, Key=key, **options)["Body"].read()


def refused(code, call, **arguments):
    try:
        call(**arguments)
    except ClientError as error:
        assert error.response["Error"]["Code"] == code, error.response
        return
    raise AssertionError(f"accepted instead of {code}")


def objects():
    body = os.urandom(1000)
    s3.put_object(Bucket=BUCKET, Key="a.bin", Body=body, ContentType="image/png", Metadata={"Colour": "blue"})
    assert read("a.bin") == body
    assert read("a.bin", Range="bytes=10-19") == body[10:20]
    assert read("a.bin", Range="bytes=-7") == body[-7:]
    head = s3.head_object(Bucket=BUCKET, Key="a.bin")
    assert head["ContentType"] == "image/png" and head["Metadata"] == {"colour": "blue"}, head
    assert head["ETag"] == f'"{hashlib.md5(body).hexdigest()}"', head
    refused("304", s3.get_object, Bucket=BUCKET, Key="a.bin", IfNoneMatch=head["ETag"])
    refused("PreconditionFailed", s3.get_object, Bucket=BUCKET, Key="a.bin", IfMatch='"other"')
    refused("PreconditionFailed", s3.put_object, Bucket=BUCKET, Key="a.bin", Body=b"", IfNoneMatch="*")
    refused("NoSuchKey", s3.get_object, Bucket=BUCKET, Key="missing")
    refused("404", s3.head_object, Bucket=BUCKET, Key="missing")
    refused("AccessDenied", s3.get_object, Bucket="not-in-scope", Key="a.bin")
    s3.put_object(Bucket=BUCKET, Key="empty")
    assert read("empty") == b""
    # A body of unknown length and one that is a file: both travel in chunks over TLS.
    s3.put_object(Bucket=BUCKET, Key="stream", Body=io.BytesIO(body))
    assert read("stream") == body
    assert [b["Name"] for b in s3.list_buckets()["Buckets"]] == sorted((BUCKET, OTHER_BUCKET))
    s3.head_bucket(Bucket=BUCKET)
    s3.get_bucket_location(Bucket=BUCKET)
    s3.delete_object(Bucket=BUCKET, Key="a.bin")
    refused("NoSuchKey", s3.get_object, Bucket=BUCKET, Key="a.bin")
    answer = s3.delete_objects(Bucket=BUCKET, Delete={"Objects": [{"Key": "empty"}, {"Key": "stream"}]})
    assert {d["Key"] for d in answer["Deleted"]} == {"empty", "stream"} and "Errors" not in answer, answer
    assert s3.list_objects_v2(Bucket=BUCKET)["KeyCount"] == 0


def checksums():
    body = os.urandom(70_000)
    for algorithm in ALGORITHMS:
        put = s3.put_object(Bucket=BUCKET, Key=algorithm, Body=io.BytesIO(body), ChecksumAlgorithm=algorithm)
        member = f"Checksum{algorithm}"
        assert put.get(member), (algorithm, put)
        got = s3.get_object(Bucket=BUCKET, Key=algorithm, ChecksumMode="ENABLED")
        assert got[member] == put[member] and got["Body"].read() == body, (algorithm, got)
        keys = {"Objects": [{"Key": algorithm}]}
        s3.delete_objects(Bucket=BUCKET, Delete=keys, ChecksumAlgorithm=algorithm)
        refused("NoSuchKey", s3.get_object, Bucket=BUCKET, Key=algorithm)
    refused("BadDigest", s3.put_object, Bucket=BUCKET, Key="wrong", Body=body, ContentMD5="1B2M2Y8AsgTpgAmY7PhCfg==")
    refused("NoSuchKey", s3.get_object, Bucket=BUCKET, Key="wrong")


def opt_out():
    """The settings that people use against servers that do not know the default checksums."""
    plain = session.client(
        "s3",
        config=Config(request_checksum_calculation="when_required", response_checksum_validation="when_required"),
    )
    plain.put_object(Bucket=BUCKET, Key="plain", Body=LARGE)
    assert plain.get_object(Bucket=BUCKET, Key="plain")["Body"].read() == LARGE
    plain.delete_objects(Bucket=BUCKET, Delete={"Objects": [{"Key": "plain"}]})
    refused("NoSuchKey", plain.get_object, Bucket=BUCKET, Key="plain")


def multipart():
    config = TransferConfig(multipart_threshold=PART, multipart_chunksize=PART, max_concurrency=4)
    s3.upload_fileobj(io.BytesIO(LARGE), BUCKET, "large", Config=config, ExtraArgs={"Metadata": {"n": "1"}})
    into = io.BytesIO()
    s3.download_fileobj(BUCKET, "large", into, Config=config)
    assert into.getvalue() == LARGE
    head = s3.head_object(Bucket=BUCKET, Key="large")
    assert head["ETag"].endswith('-3"') and head["Metadata"] == {"n": "1"}, head
    assert read("large", PartNumber=3) == LARGE[2 * PART :]

    s3.copy({"Bucket": BUCKET, "Key": "large"}, OTHER_BUCKET, "copied in parts", Config=config)
    assert read("copied in parts", OTHER_BUCKET) == LARGE
    for algorithm in ALGORITHMS:
        by_hand(algorithm)

    upload = s3.create_multipart_upload(Bucket=BUCKET, Key="aborted")["UploadId"]
    s3.upload_part(Bucket=BUCKET, Key="aborted", UploadId=upload, PartNumber=1, Body=b"part")
    assert [u["UploadId"] for u in s3.list_multipart_uploads(Bucket=BUCKET, Prefix="aborted")["Uploads"]] == [upload]
    s3.abort_multipart_upload(Bucket=BUCKET, Key="aborted", UploadId=upload)
    refused("NoSuchUpload", s3.list_parts, Bucket=BUCKET, Key="aborted", UploadId=upload)


def by_hand(algorithm):
    name = f"by hand {algorithm}"
    target = {"Bucket": BUCKET, "Key": name}
    upload = {**target, "UploadId": s3.create_multipart_upload(**target, ChecksumAlgorithm=algorithm)["UploadId"]}
    member = f"Checksum{algorithm}"
    parts = []
    for number, chunk in enumerate((LARGE[:PART], LARGE[PART : PART + 9]), 1):
        answer = s3.upload_part(**upload, PartNumber=number, Body=io.BytesIO(chunk), ChecksumAlgorithm=algorithm)
        parts.append({"PartNumber": number, "ETag": answer["ETag"], member: answer[member]})
    assert [p["PartNumber"] for p in s3.list_parts(**upload)["Parts"]] == [1, 2]
    done = s3.complete_multipart_upload(**upload, MultipartUpload={"Parts": parts})
    # The endpoint's own address: the host that the client asked for, with a scheme that TLS in front may hide.
    assert urlsplit(done["Location"]).netloc == urlsplit(os.environ["AWS_ENDPOINT_URL"]).netloc, done
    assert read(name) == LARGE[: PART + 9]


def keys(*names):
    for name in names:
        body = name.encode()
        s3.put_object(Bucket=BUCKET, Key=name, Body=body)
        assert read(name) == body, name
        s3.copy_object(Bucket=OTHER_BUCKET, Key=name, CopySource={"Bucket": BUCKET, "Key": name})
        assert read(name, OTHER_BUCKET) == body, name
        url = presigner.generate_presigned_url("get_object", Params={"Bucket": BUCKET, "Key": name})
        assert fetch(url) == body, name
        listed = s3.list_objects_v2(Bucket=BUCKET, Prefix=name)
        assert [o["Key"] for o in listed["Contents"]] == [name], listed
    assert {o["Key"] for o in s3.list_objects_v2(Bucket=BUCKET)["Contents"]} == set(names)
    for bucket in (BUCKET, OTHER_BUCKET):
        answer = s3.delete_objects(Bucket=bucket, Delete={"Objects": [{"Key": name} for name in names]})
        assert len(answer["Deleted"]) == len(names), answer
        assert s3.list_objects_v2(Bucket=bucket)["KeyCount"] == 0


def copies():
    s3.put_object(Bucket=BUCKET, Key="from", Body=b"bytes", Metadata={"a": "1"}, ContentType="text/plain")
    source = {"Bucket": BUCKET, "Key": "from"}
    s3.copy_object(Bucket=OTHER_BUCKET, Key="to", CopySource=source)
    head = s3.head_object(Bucket=OTHER_BUCKET, Key="to")
    assert head["Metadata"] == {"a": "1"} and head["ContentType"] == "text/plain", head
    s3.copy_object(
        Bucket=BUCKET, Key="from", CopySource=source, Metadata={"b": "2"}, MetadataDirective="REPLACE"
    )
    assert s3.head_object(Bucket=BUCKET, Key="from")["Metadata"] == {"b": "2"}
    refused("PreconditionFailed", s3.copy_object, Bucket=BUCKET, Key="x", CopySource=source, CopySourceIfMatch='"no"')
    outside = {"Bucket": "not-in-scope", "Key": "from"}
    refused("AccessDenied", s3.copy_object, Bucket=BUCKET, Key="x", CopySource=outside)
    tags = {"TagSet": [{"Key": "team", "Value": "a b+c"}]}
    s3.put_object_tagging(Bucket=BUCKET, Key="from", Tagging=tags)
    assert s3.get_object_tagging(Bucket=BUCKET, Key="from")["TagSet"] == tags["TagSet"]
    s3.delete_object_tagging(Bucket=BUCKET, Key="from")
    assert s3.get_object_tagging(Bucket=BUCKET, Key="from")["TagSet"] == []


def presigned():
    body = os.urandom(5000)
    params = {"Bucket": BUCKET, "Key": "presigned key+1"}
    put = presigner.generate_presigned_url("put_object", Params={**params, "ContentType": "image/png"}, ExpiresIn=604800)
    fetch(put, method="PUT", data=body, headers={"content-type": "image/png"})
    disposition = 'attachment; filename="a b.png"'
    get = presigner.generate_presigned_url("get_object", Params={**params, "ResponseContentDisposition": disposition})
    assert fetch(get) == body
    with urllib.request.urlopen(get) as answer:
        assert answer.headers["content-disposition"] == disposition, answer.headers
        assert answer.headers["content-type"] == "image/png", answer.headers

    post = presigner.generate_presigned_post(
        BUCKET, "posted/${filename}", Conditions=[["content-length-range", 1, 10_000]], ExpiresIn=600
    )
    with_old_signature = s3.generate_presigned_url("get_object", Params=params)
    assert "AWSAccessKeyId=" in with_old_signature
    try:
        fetch(with_old_signature)
    except urllib.error.HTTPError as error:
        assert error.code == 400 and b"AWS4-HMAC-SHA256" in error.read(), error
    else:
        raise AssertionError("a URL with the second version of the signature is accepted")

    content_type, form = multipart_form(post["fields"], "a.bin", body)
    fetch(post["url"], method="POST", data=form, headers={"content-type": content_type})
    assert read("posted/a.bin") == body


def multipart_form(fields, filename, content):
    boundary = "a-boundary-of-our-own"
    form = b""
    for name, value in fields.items():
        form += f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
    form += f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{filename}"\r\n\r\n'.encode()
    return f"multipart/form-data; boundary={boundary}", form + content + f"\r\n--{boundary}--\r\n".encode()


def fetch(url, **request):
    with urllib.request.urlopen(urllib.request.Request(url, **request)) as answer:
        return answer.read()


def listing():
    """The bucket holds 3,000 keys already."""
    pages = s3.get_paginator("list_objects_v2").paginate(Bucket=BUCKET)
    names = [o["Key"] for page in pages for o in page.get("Contents", [])]
    assert len(set(names)) == 3000 and names == sorted(names)
    pages = s3.get_paginator("list_objects").paginate(Bucket=BUCKET, PaginationConfig={"PageSize": 700})
    assert [o["Key"] for page in pages for o in page.get("Contents", [])] == names
    folders = s3.list_objects_v2(Bucket=BUCKET, Delimiter="/")
    assert len(folders["CommonPrefixes"]) == 3 and "Contents" not in folders, folders


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
