/** Time limits of every project: a test fails because something is wrong, not because the machine is busy. Milliseconds. */
export const PATIENCE = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // Vitest's own limit for `expect.poll` is one second.
  expect: { poll: { timeout: 20_000 } },
}
