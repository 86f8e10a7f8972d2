/** The part of `oidc-provider` that the tests use; the package has no types of its own. */

import type { IncomingMessage, ServerResponse } from "node:http";

/** Storage of one kind of record. */
export interface Adapter {
  upsert(id: string, payload: Payload, expiresIn?: number): Promise<void>;
  find(id: string): Promise<Payload | undefined>;
  findByUid(uid: string): Promise<Payload | undefined>;
  findByUserCode(userCode: string): Promise<Payload | undefined>;
  consume(id: string): Promise<void>;
  destroy(id: string): Promise<void>;
  revokeByGrantId(grantId: string): Promise<void>;
}

/** A stored record. */
export interface Payload {
  uid?: string;
  grantId?: string;
  consumed?: number;
  [field: string]: unknown;
}

/** The request that a hook is asked about. */
export interface Context {
  body: unknown;
  type: string;
  readonly oidc: {
    readonly client: { readonly clientId: string };
    readonly session: { readonly accountId: string };
  };
}

/** What a client has been allowed to see. */
export interface Grant {
  addOIDCScope(scope: string): void;
  save(): Promise<string>;
}

/** A registered client. */
export interface Client {
  backchannelLogout(subject: string, sessionId?: string): Promise<void>;
}

/** A sign-in that waits for its form. */
export interface Interaction {
  readonly uid: string;
  readonly prompt: { readonly name: string };
}

export default class Provider {
  constructor(issuer: string, configuration: Record<string, unknown>);
  readonly Client: { find(id: string): Promise<Client | undefined> };
  readonly Grant: new (fields: { accountId: string; clientId: string }) => Grant;
  callback(): (request: IncomingMessage, response: ServerResponse) => void;
  interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
  interactionFinished(
    request: IncomingMessage,
    response: ServerResponse,
    result: Record<string, unknown>,
    options?: { mergeWithLastSubmission?: boolean },
  ): Promise<void>;
}
