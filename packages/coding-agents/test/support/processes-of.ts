/** Processes of a machine, found by the user's folder in their environment. Linux only: elsewhere none are found. */
import { readdir, readFile } from 'node:fs/promises'

export const processesOf = async (folder: string): Promise<readonly string[]> => {
  const ids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const found: string[] = []
  for (const id of ids) {
    const environment = await readFile(`/proc/${id}/environ`, 'latin1').catch(() => '')
    if (environment.includes(`HOME=${folder}\0`)) found.push((await readFile(`/proc/${id}/cmdline`, 'latin1')).replaceAll('\0', ' '))
  }
  return found
}
