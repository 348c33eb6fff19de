/** True for an object or function that has all of these methods. */
export const hasMethods = (value: unknown, names: readonly string[]): value is object =>
  ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
  names.every((name) => typeof Reflect.get(value, name) === 'function')
