/**
 * The candidate that `word` was most likely meant to be, or `null` when none is close: at most a third of the letters
 * (and two at least, but never all) differ, or one begins with the other.
 */
export function nearest(word: string, candidates: Iterable<string>): string | null {
  let best: string | null = null;
  let bestDistance = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = Math.min(editDistance(word, candidate), prefixDistance(word, candidate));
    if (distance < bestDistance && distance < Math.max(word.length, candidate.length)) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** A word cut short, or with something hung on, ranks like a slip of two letters. */
function prefixDistance(word: string, candidate: string): number {
  const isPrefix = word.length >= 3 && (candidate.startsWith(word) || word.startsWith(candidate));
  return isPrefix ? 2 : Infinity;
}

/** Levenshtein distance: single-character insertions, deletions and substitutions. */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const substitution = previous[column - 1] + (from[row - 1] === to[column - 1] ? 0 : 1);
      current.push(Math.min(substitution, previous[column] + 1, current[column - 1] + 1));
    }
    previous = current;
  }
  return previous[to.length];
}
