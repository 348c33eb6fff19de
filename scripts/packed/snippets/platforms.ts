/** What the blocks that are not run import of platforms which are not installed here, and of the reader's own app. */
export const PLATFORMS = `
declare module 'next/server' { export const after: (task: Promise<unknown> | (() => unknown)) => void }
declare module 'workflow' { export const sleep: (time: string) => Promise<void> }
declare module '@/lib/homes' { export const homes: import('@hermes/core').HermesHomes }
declare module '*/signed-in.ts' { export const signedIn: () => Promise<string | undefined> }
`
