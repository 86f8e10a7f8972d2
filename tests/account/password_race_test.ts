import assert from "node:assert/strict";
import { json, status } from "../support/http_client.ts";
import { testPassword, withProgram } from "../support/program.ts";

Deno.test("a change of password that is under way does not undo an administrator's reset", () => {
  const names = ["anna", "bert", "cleo", "dora", "emil", "fred"];
  const users = Object.fromEntries(names.map((name) => [name, "user" as const]));
  return withProgram({ users: { ...users, admin: "admin" } }, async (program) => {
    const admin = await program.signedIn();
    const { users: listed } = await json(admin.get("/api/admin/users"));
    for (const name of names) {
      const { id } = listed.find(({ username }: { username: string }) => username === name);
      const thief = await program.signedIn(name);
      const change = thief.post("/api/me/password", {
        json: { current_password: testPassword, new_password: "a thief's own password" },
      });
      const reset = json(admin.post(`/api/admin/users/${id}/reset-password`, { json: {} }));
      const [changed, { password }] = await Promise.all([status(change), reset]);
      assert.ok([200, 401].includes(changed), String(changed));
      await program.client().signIn(name, password);
    }
  });
});
