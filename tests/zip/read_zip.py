"""Prints what Python's zipfile reads of an archive as JSON: read_zip.py PATH all|last"""

import calendar
import hashlib
import json
import sys
import time
import zipfile


def read(archive, info):
    digest = hashlib.sha256()
    start = b""
    with archive.open(info) as content:
        while piece := content.read(1 << 20):
            digest.update(piece)
            if len(start) < 4096:
                start += piece[: 4096 - len(start)]
    return {"text": start.decode("utf-8", "replace"), "sha256": digest.hexdigest()}


def describe(archive, info, content):
    damaged = False
    found = {"text": "", "sha256": ""}
    if content:
        try:
            found = read(archive, info)
        except zipfile.BadZipFile:
            damaged = True
    moment = time.gmtime(calendar.timegm(info.date_time))
    entry = {
        "name": info.filename,
        "size": info.file_size,
        "modified": time.strftime("%Y-%m-%dT%H:%M:%S", moment),
        "mode": info.external_attr >> 16,
        "isFolder": info.is_dir(),
        **found,
    }
    return entry, damaged


path, which = sys.argv[1:]
with zipfile.ZipFile(path) as archive:
    infos = archive.infolist()
    described = [describe(archive, info, which == "all" or info is infos[-1]) for info in infos]
json.dump(
    {
        "entries": [entry for entry, _ in described],
        "damaged": [entry["name"] for entry, damaged in described if damaged],
    },
    sys.stdout,
)
