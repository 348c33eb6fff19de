import { readdirSync, readlinkSync } from 'node:fs'

/** The files at or below a folder that this process has open. Linux only. */
export const openFilesBelow = (folder: string): string[] =>
  readdirSync('/proc/self/fd').flatMap((handle) => {
    try {
      const file = readlinkSync(`/proc/self/fd/${handle}`)
      return file.startsWith(folder) ? [file] : []
    } catch {
      return []
    }
  })
