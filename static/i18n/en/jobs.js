// @ts-check

/** Texts of jobs that the server does by itself. */
export const jobs = /** @type {const} */ ({
  "jobs.queued": "waiting",
  "jobs.running": "running",
  "jobs.stopping": "stopping",
  "jobs.done": "done",
  "jobs.failed": "failed",
  "jobs.stopped": "stopped",
  "jobs.interrupted": "interrupted",
  "jobs.done_with_failures": { one: "done, {n} failed", other: "done, {n} failed" },
  "jobs.copy_title": "Copying {from} to {to}",
  "jobs.copy_title_over": "Copy {from} to {to}",
  "jobs.move_title": "Moving {from} to {to}",
  "jobs.move_title_over": "Move {from} to {to}",
  "jobs.delete_some_title": {
    one: "Deleting {n} item in {place}",
    other: "Deleting {n} items in {place}",
  },
  "jobs.delete_some_title_over": { one: "Delete {n} item in {place}", other: "Delete {n} items in {place}" },
  "jobs.delete_title": "Deleting {place}",
  "jobs.delete_title_over": "Delete {place}",
  "jobs.measure_title": "Measure {place}",
  "jobs.of_objects": { one: "{done} of {n} object", other: "{done} of {n} objects" },
  "jobs.of_bytes": "{done} of {total}",
  "jobs.skipped": { one: "{n} skipped", other: "{n} skipped" },
  "jobs.failed_count": { one: "{n} failed", other: "{n} failed" },
  "jobs.locked_until": {
    one: "{n} version is locked until {time}.",
    other: "{n} versions are locked until {time}.",
  },
  "jobs.locked_last": {
    one: "{n} version is locked until {time}.",
    other: "{n} versions are locked, the last of them until {time}.",
  },
  "jobs.locked_held": {
    one: "{n} version is under a legal hold.",
    other: "{n} versions are under a legal hold.",
  },
  "jobs.locked_compliance": "Nobody can delete what is locked in compliance mode before; retry then.",
  "jobs.locked_governance":
    "What is locked in governance mode can be deleted at the storage by whoever may bypass that, or here after it.",
  "jobs.locked_hold": "A legal hold has to be lifted at the storage; retry then.",
  "jobs.id": "Job {id}",
  "jobs.one_failed": "“{key}”: {message}",
  "jobs.some_failed": { one: "“{key}” and {n} other: {message}", other: "“{key}” and {n} others: {message}" },
});
