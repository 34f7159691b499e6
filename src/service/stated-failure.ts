const failureWords = new Set(['error', 'failed', 'failure', 'fail']);

/**
 * Whether JSON states that the request failed, although its status says otherwise. The rule: the
 * value is `false`; or an object in which `success` or `ok` is false, `error` or `errors` holds
 * something, or `status` is `error`, `failed`, `failure` or `fail`; or an array with such an entry.
 * The interface writes booleans as text (2.1), so the text `false` counts as false.
 */
export function statesFailure(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(statesFailure);
  if (value === false) return true;
  if (typeof value !== 'object' || value === null) return false;
  const fields = value as Record<string, unknown>;
  return (
    isFalse(fields.success) ||
    isFalse(fields.ok) ||
    holdsSomething(fields.error) ||
    holdsSomething(fields.errors) ||
    (typeof fields.status === 'string' && failureWords.has(fields.status.toLowerCase()))
  );
}

function isFalse(value: unknown): boolean {
  return value === false || (typeof value === 'string' && value.toLowerCase() === 'false');
}

function holdsSomething(value: unknown): boolean {
  if (!value || isFalse(value)) return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}
