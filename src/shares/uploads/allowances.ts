import { Problem, tooLarge, tooMany } from "../../problem.ts";
import type { ShareGate } from "../public/gate.ts";
import type { ShareService } from "../service.ts";
import type { Share, UploadRequest } from "../share.ts";

/** What {@link UploadAllowances} works with. */
export interface UploadAllowancesDeps {
  readonly shares: ShareService;
  readonly gate: ShareGate;
}

/** What the files under way of one link take of what it allows. */
interface UnderWay {
  files: number;
  bytes: number;
}

/** What a sender is told to wait when files under way may still leave room, in seconds. */
const retryAfter = 5;

/**
 * Room under the bounds of links for uploads: how many files, and how many bytes. What has been sent is in the database; what
 * is under way is in memory, so that nothing stays taken when the program ends. Both are looked at in one turn: however many
 * begin at once, no more get through than are allowed.
 */
export class UploadAllowances {
  readonly #deps: UploadAllowancesDeps;
  readonly #underWay = new Map<number, UnderWay>();

  constructor(deps: UploadAllowancesDeps) {
    this.#deps = deps;
  }

  /**
   * Takes room for one file. Throws 410 `exhausted` or another reason why the link cannot be used, 413 `too_large` when the
   * file is larger than it ever takes, 429 `rate_limited` when files under way take the room.
   */
  begin(share: Share, bytes: number): UploadAllowance {
    const { upload } = this.#current(share);
    const underWay = this.#underWay.get(share.id) ?? { files: 0, bytes: 0 };
    if (upload.uploadCount >= upload.maxUploads) throw exhausted();
    if (upload.uploadCount + underWay.files >= upload.maxUploads) throw tooManyAtOnce();
    underWay.files++;
    this.#underWay.set(share.id, underWay);
    const allowance = new UploadAllowance({
      current: () => this.#current(share).upload,
      underWay,
      count: (size) => this.#deps.shares.countUpload(share, size),
      onEnd: () => {
        if (underWay.files === 0) this.#underWay.delete(share.id);
      },
    });
    try {
      allowance.grow(bytes);
    } catch (error) {
      allowance.release();
      throw error;
    }
    return allowance;
  }

  /** The share as it is now. Throws why it cannot be used; that others have used it up meanwhile is no reason. */
  #current(share: Share): { readonly upload: UploadRequest } {
    const { shares, gate } = this.#deps;
    const { upload } = gate.requireUsable(shares.find(share.code), { evenExhausted: true });
    if (upload === null) throw new TypeError(`share ${share.id} takes no files`);
    return { upload };
  }
}

interface AllowanceDeps {
  readonly current: () => UploadRequest;
  readonly underWay: UnderWay;
  readonly count: (bytes: number) => void;
  readonly onEnd: () => void;
}

/** Room for one file. It ends by the first of {@link commit}, {@link keep} and {@link release}; any after that does nothing. */
export class UploadAllowance {
  readonly #deps: AllowanceDeps;
  #bytes = 0;
  #isOpen = true;

  constructor(deps: AllowanceDeps) {
    this.#deps = deps;
  }

  /**
   * Takes more room, 0 bytes for a look at whether the link is still in force. Throws as {@link UploadAllowances.begin} does;
   * what was taken before stays taken then.
   */
  grow(bytes: number): void {
    const { current, underWay } = this.#deps;
    const { maxBytes, maxFileBytes, uploadedBytes } = current();
    const left = maxBytes - uploadedBytes;
    const size = this.#bytes + bytes;
    if (size > Math.min(maxFileBytes ?? left, left)) throw tooLargeForLink();
    if (underWay.bytes + bytes > left) throw tooManyAtOnce();
    underWay.bytes += bytes;
    this.#bytes = size;
  }

  /** The file is stored, and has so many bytes. */
  commit(bytes: number): void {
    this.#end(() => this.#deps.count(bytes));
  }

  /** Nobody knows whether the file was stored: it counts as if it was, or whoever goes away in time could send without end. */
  keep(): void {
    this.commit(this.#bytes);
  }

  /** Nothing was stored. */
  release(): void {
    this.#end(() => {});
  }

  #end(settle: () => void): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const { underWay, onEnd } = this.#deps;
    underWay.files--;
    underWay.bytes -= this.#bytes;
    onEnd();
    settle();
  }
}

function exhausted(): Problem {
  return new Problem(410, "exhausted", "This link has taken as many files as it may.");
}

function tooLargeForLink(): Problem {
  return tooLarge("The file is larger than this link takes.");
}

function tooManyAtOnce(): Problem {
  return tooMany(retryAfter, "Too many files are being sent at once. Try again later.");
}
