import assert from "node:assert/strict";
import { shellWord } from "../../static/lib/commands.js";
import { type Access, envFile, region, snippets } from "../../static/lib/credentials/snippets.js";

const access: Access = {
  endpoint: "https://s3.example.org",
  region,
  bucket: "photos",
  prefix: "",
  accessKey: "AKIAEXAMPLE",
  secretKey: "SecretOfForty",
  readOnly: false,
};

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
