// @ts-check

/**
 * Whether a filter's time is a whole day.
 * @param {string | undefined} text
 */
export function isDay(text) {
  return /^\d{4}-\d\d-\d\d$/.test(text ?? "");
}

/**
 * The page's filter as the API takes it. The page's last day belongs to what is shown, while the API ends before the
 * moment it is given, so that it is given the day after.
 * @param {Readonly<Record<string, string>>} filter whose times the API takes
 * @returns {Record<string, string>}
 */
export function apiFilter(filter) {
  if (!isDay(filter.to)) return { ...filter };
  return { ...filter, to: new Date(Date.parse(filter.to) + 86_400_000).toISOString().slice(0, 10) };
}
