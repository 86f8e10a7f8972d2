import type { BackendRegistry } from "../backends/registry.ts";
import type { JobRunner } from "../jobs/run.ts";
import { figuresSchema, noFigures, withItems } from "./figures.ts";
import { jobListing } from "./listing.ts";
import { objectPages } from "./pages.ts";
import { measureSpecSchema } from "./spec.ts";
import { finish } from "./totals.ts";

/** Runs jobs that count what is under a prefix. */
export function measureRunner({ registry }: { readonly registry: BackendRegistry }): JobRunner {
  return async (run) => {
    const spec = measureSpecSchema.parse(run.job.spec);
    // Without a position the listing begins anew, and so does the count.
    let figures = run.job.position === undefined ? noFigures : figuresSchema.parse(run.job.result);
    for await (const { items, position } of objectPages(jobListing(run, registry, spec))) {
      figures = withItems(figures, items);
      for (const item of items) run.succeeded(item, item.size);
      run.setResult(figures);
      if (position !== undefined) run.advance(position);
      run.signal.throwIfAborted();
      if (run.stopping.aborted) return;
    }
    run.setResult(figures);
    finish(run);
  };
}
