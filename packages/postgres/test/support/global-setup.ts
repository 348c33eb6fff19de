/** One server for all test files of the package. */
import type { TestProject } from 'vitest/node'
import { serverOrNone } from './postgres-server.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    readonly postgresUrl: string
  }
}

export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const server = await serverOrNone()
  project.provide('postgresUrl', server.url)
  return server.remove
}
