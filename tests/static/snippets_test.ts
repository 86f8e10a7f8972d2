import assert from "node:assert/strict";
import { shellWord } from "../../static/lib/commands.js";
import { type Access, envFile, region, snippets } from "../../static/lib/credentials/snippets.js";
import { bulkCommands } from "../../static/lib/details/bulk_commands.js";
import { uploadCommands } from "../../static/lib/upload/upload_commands.js";

const access: Access = {
  endpoint: "https://s3.example.org",
  region,
  bucket: "photos",
  prefix: "",
  accessKey: "AKIAEXAMPLE",
  secretKey: "SecretOfForty",
  readOnly: false,
};

const place = { bucket: "photos", api: "/api/bucket" };

function write(id: string, changes: Partial<Access> = {}): string {
  const snippet = snippets.find((known) => known.id === id);
  assert.ok(snippet, id);
  return snippet.write({ ...access, ...changes });
}

Deno.test("every snippet names endpoint, bucket and key pair, but for what is asked for later", () => {
  for (const { id } of snippets) {
    const text = write(id);
    assert.ok(text.includes("s3.example.org"), id);
    assert.ok(id === "env" || text.includes("photos"), id);
    if (id === "cyberduck") continue;
    assert.ok(text.includes("AKIAEXAMPLE") && text.includes("SecretOfForty"), id);
  }
});

Deno.test("a credential that only reads is given commands that only read", () => {
  assert.match(write("restic"), /init$/);
  assert.match(write("restic", { readOnly: true }), /snapshots$/);
  assert.doesNotMatch(write("s3fs"), /-o ro/);
  assert.match(write("s3fs", { readOnly: true }), /-o ro$/);
});

Deno.test("a prefix is where each client looks; one within a folder's name leads to the folder", () => {
  assert.match(write("aws", { prefix: "team/" }), / s3:\/\/photos\/team\/$/);
  assert.match(write("rclone", { prefix: "team/a-" }), /storage:photos\/team\/$/);
  assert.match(write("s5cmd", { prefix: "team/a-" }), /'s3:\/\/photos\/team\/a-\*'$/);
  assert.match(write("terraform", { prefix: "team/" }), /"team\/terraform\.tfstate"/);
  assert.match(write("s3fs", { prefix: "team/" }), /photos:\/team ~\/storage/);
});

Deno.test("what a language would read as more than text is quoted in its way", () => {
  const prefix = `it's $(x) \${y} %{z} "q" <&>/`;
  assert.match(write("mc", { prefix }), /'storage\/photos\/it'\\''s \$\(x\)/);
  assert.match(write("terraform", { prefix }), /"it's \$\(x\) \$\$\{y\} %%\{z\} \\"q\\" <&>\/terraform/);
  assert.match(write("cyberduck", { prefix }), /"q" &lt;&amp;&gt;\//);
  for (const id of ["boto3", "js", "go"]) {
    assert.ok(write(id, { prefix }).includes(JSON.stringify(prefix)), id);
  }
});

Deno.test("a connection profile has the endpoint's scheme and port", () => {
  const profile = write("cyberduck", { endpoint: "http://127.0.0.1:8090" });
  assert.match(profile, /<key>Scheme<\/key>\s*<string>http<\/string>/);
  assert.match(profile, /<key>Default Port<\/key>\s*<string>8090<\/string>/);
  assert.match(write("cyberduck"), /<key>Default Port<\/key>\s*<string>443<\/string>/);
});

Deno.test("an .env file has no word that would need quotes", () => {
  for (const line of envFile(access).trimEnd().split("\n")) assert.match(line, /^AWS_[A-Z_]+=[\w:/.-]+$/);
});

Deno.test("a word of the shell is one word, and holds nothing that a terminal would act on when it is pasted", () => {
  const cases: Array<[string, string]> = [
    ["s3://photos/a-b_c.txt", "s3://photos/a-b_c.txt"],
    ["", "''"],
    ["a b", "'a b'"],
    ["it's $(id) `id` !x", "'it'\\''s $(id) `id` !x'"],
    ["~ *?[a] {a,b} #", "'~ *?[a] {a,b} #'"],
    ["\x03id\n", "$'\\003id\\012'"],
    ["\x1b[201~\nid 'a' \\", "$'\\033[201~\\012id \\'a\\' \\\\'"],
    ["\u009b31mü", "$'\\302\\23331mü'"],
  ];
  for (const [text, word] of cases) {
    assert.equal(shellWord(text), word);
    assert.doesNotMatch(shellWord(text), /\p{Cc}/u);
  }
});

Deno.test("the command that adds or removes tags reads the others first, whatever is in their names", async () => {
  const target = ["--bucket", "photos", "--key", "it's a.txt"];
  const begin = [
    "s3api",
    "put-object-tagging",
    ...target,
    "--tagging",
    "s3api",
    "get-object-tagging",
    ...target,
  ];
  const tags = { "it's": '`a` \\ "b"', plain: "" };
  const [added] = bulkCommands(place, ["it's a.txt"], "add", tags);
  assert.deepEqual(await words(added), [
    ...begin,
    ...["--output", "json", "--query"],
    '{TagSet: [TagSet[?!contains(`["it\'s","plain"]`, Key)], ' +
    '`[{"Key":"it\'s","Value":"\\`a\\` \\\\ \\"b\\""},{"Key":"plain","Value":""}]`][]}',
  ]);
  const [removed] = bulkCommands(place, ["it's a.txt"], "remove", { old: "", stage: "test" });
  assert.equal(
    (await words(removed)).at(-1),
    '{TagSet: TagSet[?!contains(`["old"]`, Key) && !contains(`[{"Key":"stage","Value":"test"}]`, @)]}',
  );
});

Deno.test("the commands of many objects are those of the first few, and say how many more there are", async () => {
  const keys = ["a!b.html", "b.html", "c.html", "d.html", "e.html"];
  const commands = bulkCommands(place, keys, "replace", { stage: "live" });
  assert.equal(commands.length, 4);
  assert.match(commands[3], /^# /);
  assert.deepEqual(JSON.parse((await words(commands[0])).at(-1) ?? ""), {
    TagSet: [{ Key: "stage", Value: "live" }],
  });
  assert.deepEqual(await words(bulkCommands(place, ["a"], "replace", {})[0]), [
    ...["s3api", "delete-object-tagging", "--bucket", "photos", "--key", "a"],
  ]);
  const typed = await words(bulkCommands(place, keys, "types", {})[0]);
  assert.ok(typed.includes('{"content_type":"text/html; charset=utf-8"}'));
  assert.equal(typed.at(-1), "https://s3.example.org/api/bucket/object/metadata?key=a%21b.html");
});

Deno.test("the commands of an upload copy each file and folder to where it goes, and tag what is in them", async () => {
  const file = new File([], "");
  const found = ["a b.txt", "album/1.jpg", "album/2.jpg"].map((path) => ({ file, path }));
  const intake = { bucket: "photos", prefix: "x/", found: [...found, { file: null, path: "empty/" }] };
  const plain = { storageClass: "", contentType: "", tags: {} };
  assert.deepEqual(uploadCommands(intake, plain), [
    "aws s3 cp './a b.txt' 's3://photos/x/a b.txt'",
    "aws s3 cp --recursive ./album/ s3://photos/x/album/",
  ]);
  const stored = { storageClass: "STANDARD_IA", contentType: "text/plain; charset=utf-8", tags: { a: "1" } };
  const commands = uploadCommands(intake, stored);
  assert.deepEqual(
    await words(commands[0]),
    [
      ...["s3", "cp", "--storage-class", "STANDARD_IA", "--content-type", "text/plain; charset=utf-8"],
      ...["./a b.txt", "s3://photos/x/a b.txt"],
    ],
  );
  assert.deepEqual(commands.slice(2).map((command) => /--key ('.*?'|\S+)/.exec(command)?.[1]), [
    "'x/a b.txt'",
    "x/album/1.jpg",
    "x/album/2.jpg",
  ]);
});

/** The words that a shell calls a command of aws or curl with; for one within another, what it is called with. */
async function words(command: string): Promise<string[]> {
  const call = `{ for word in "$@"; do printf '%s\\n' "$word"; done; }`;
  const shell = new Deno.Command("sh", {
    args: ["-c", `aws() ${call}\ncurl() ${call}\n${command}`],
    env: { dashboard: "https://s3.example.org", token: "token" },
  });
  return new TextDecoder().decode((await shell.output()).stdout).trimEnd().split("\n");
}
