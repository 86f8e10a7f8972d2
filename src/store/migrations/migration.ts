/** One forward step of the schema. It runs in a transaction of its own and is never changed once released. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
}
