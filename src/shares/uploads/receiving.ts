import { contentTypeOf } from "../../../static/lib/details/content_types.js";
import type { BackendRegistry } from "../../backends/registry.ts";
import { addressKey } from "../../http/rate_limiter.ts";
import type { Logger } from "../../logging/logger.ts";
import { reserveAsItComes, storeWithinQuota } from "../../objects/quota.ts";
import type { UploadJournal } from "../../objects/upload_journal.ts";
import { Problem, tooMany } from "../../problem.ts";
import type { QuotaLedger } from "../../quotas/ledger.ts";
import type { Reservation } from "../../quotas/reservation.ts";
import { scopeOf } from "../public/folder.ts";
import type { ShareContext, ShareGate } from "../public/gate.ts";
import { Places } from "../public/places.ts";
import type { ShareService } from "../service.ts";
import type { Share } from "../share.ts";
import { type UploadAllowance, UploadAllowances } from "./allowances.ts";
import { safeFileName, safeFolders } from "./file_name.ts";
import { FreeKeys } from "./free_keys.ts";
import { refusedFile, unusableName } from "./refused_file.ts";
import { sentContent } from "./sent_content.ts";
import { memoryOf, sentMemory, storeSent } from "./sent_parts.ts";

/** What {@link FileReceiver} works with. */
export interface FileReceiverDeps {
  readonly registry: BackendRegistry;
  readonly shares: ShareService;
  readonly gate: ShareGate;
  readonly ledger: QuotaLedger;
  readonly logger: Logger;
  readonly journal: UploadJournal;
}

/** A file that a stranger sends. */
export interface SentFile {
  /** As they call it. */
  readonly name: string;
  /** The folders that it was in, as they call them, parted by slashes; empty for none. */
  readonly folder: string;
  /** Each piece is valid only until the next is asked for. */
  readonly content: AsyncIterable<Uint8Array>;
  /** In bytes, when it is known beforehand. */
  readonly size?: number;
}

/** A file that was stored. */
export interface ReceivedFile {
  /** What is left of the name that the sender gave; where a number was added to it, that is not told. */
  readonly name: string;
  /** What is left of the folders, with a slash at its end; empty where they are not kept. */
  readonly folder: string;
  readonly key: string;
  readonly size: number;
}

/** Longest key that is made of what a stranger says, in bytes of UTF-8: a number may be added, and S3 takes 1,024. */
const maxKeyBytes = 1000;

/** What a sender is told to wait when there is no room, in seconds. */
const retryAfter = 5;

/** Stores the files that strangers send by a link, within what the link and the quota of the bucket allow. */
export class FileReceiver {
  readonly #deps: FileReceiverDeps;
  readonly #allowances: UploadAllowances;
  readonly #keys = new FreeKeys();
  readonly #memory = new Places({ total: sentMemory.total, perClient: sentMemory.perAddress });
  /** So that whoever has one link cannot keep all others from theirs. */
  readonly #linkMemory = new Places({ total: sentMemory.total, perClient: sentMemory.perLink });

  constructor(deps: FileReceiverDeps) {
    this.#deps = deps;
    this.#allowances = new UploadAllowances(deps);
  }

  /**
   * Takes memory for a request that sends a file of `size` bytes, or files of which that is not known, before any of it is
   * read, and returns what frees it. Throws 413 `too_large` for what can never be taken, 429 `rate_limited` while others have
   * the memory.
   */
  enter({ client }: ShareContext, share: Share, size?: number): () => void {
    const bytes = memoryOf(size);
    const taken = [
      this.#memory.take(addressKey(client.ip), bytes),
      this.#linkMemory.take(String(share.id), bytes),
    ];
    const leave = () => taken.forEach((free) => free?.());
    if (!taken.includes(null)) return leave;
    leave();
    throw tooMany(retryAfter, "Too many files are being sent at once. Try again later.");
  }

  /**
   * Stores one file of a request that has entered, and counts it. It never replaces anything. Until its last byte is here, the link is looked at again and
   * again: when that ends, nothing is stored. Throws 400 `invalid_key`, 409 `conflict`, 410, 413 `too_large`, 429 `rate_limited`, 502
   * `backend_error`, 504 `backend_timeout`, 507 `quota_exceeded`, in words that name nothing of the storage.
   */
  async receive(context: ShareContext, share: Share, file: SentFile): Promise<ReceivedFile> {
    const allowance = this.#allowances.begin(share, file.size ?? 0);
    try {
      return await this.#store(context, share, file, allowance);
    } finally {
      // Changes nothing once it was committed or kept.
      allowance.release();
    }
  }

  async #store(
    { request: { signal }, audit }: ShareContext,
    share: Share,
    file: SentFile,
    allowance: UploadAllowance,
  ): Promise<ReceivedFile> {
    const { registry, ledger, logger, journal } = this.#deps;
    const scope = scopeOf(share, registry);
    const name = safeFileName(file.name);
    const folder = share.upload?.keepFolders ? safeFolders(file.folder) : "";
    const wanted = { prefix: share.key, folder, name };
    if (new TextEncoder().encode(share.key + folder + name).length > maxKeyBytes) throw unusableName();
    let refusal: unknown;
    const content = sentContent(file.content, (bytes) => {
      try {
        allowance.grow(file.size === undefined ? bytes : 0);
      } catch (error) {
        // On its way through the storage it may come out as something else.
        refusal = error;
        throw error;
      }
    });
    try {
      const claimed = await this.#keys.claim(scope, wanted, signal);
      const { key } = claimed;
      audit.key = key;
      const draft = { ...scope, key, contentType: typeOf(name), metadata: {}, ifAbsent: true };
      const options = { signal, logger, journal };
      try {
        const { size } = await storeWithinQuota({ ...scope, key, ledger }, file.size ?? 0, (room) => {
          const target = { ...draft, reservation: keptTogether(room, allowance) };
          const reserved = file.size === undefined ? reserveAsItComes(content, room) : content;
          return storeSent(target, reserved, file.size, options);
        });
        allowance.commit(size);
        return { name, folder, key, size };
      } finally {
        claimed.giveBack();
      }
    } catch (error) {
      throw refusal ?? (error instanceof Problem ? refusedFile(error) : error);
    }
  }
}

function typeOf(name: string): string {
  return contentTypeOf(name) ?? "application/octet-stream";
}

/** Room under a quota that, when it is kept, keeps the room under the link's bounds as well. */
function keptTogether(room: Reservation, allowance: UploadAllowance): Reservation {
  return {
    grow: (bytes) => room.grow(bytes),
    commit: (bytes) => room.commit(bytes),
    release: () => room.release(),
    keep() {
      room.keep();
      allowance.keep();
    },
  };
}
