/**
 * Makes an authority (`ca`) in a directory, and certificates of it for a `server` at 127.0.0.1 and for a `client`: each as
 * `NAME.crt` and `NAME.key`. Needs the program `openssl`.
 */
export async function makeCertificates(directory: string): Promise<void> {
  const issue = (name: string, ...options: string[]) =>
    openssl(directory, [
      ...[
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
        "-days",
        "2",
      ],
      ...["-subj", `/CN=${name}`, "-keyout", `${name}.key`, "-out", `${name}.crt`, ...options],
    ]);
  const signed = ["-CA", "ca.crt", "-CAkey", "ca.key", "-addext", "basicConstraints=critical,CA:false"];
  await issue("ca", "-addext", "keyUsage=critical,keyCertSign");
  await issue("server", ...signed, "-addext", "subjectAltName=IP:127.0.0.1");
  await issue("client", ...signed, "-addext", "extendedKeyUsage=clientAuth");
}

async function openssl(directory: string, args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command("openssl", { args, cwd: directory, stdout: "null" })
    .output();
  if (!success) throw new Error(`openssl failed: ${new TextDecoder().decode(stderr)}`);
}
