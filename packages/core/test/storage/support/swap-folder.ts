/** `node swap-folder.ts <json>`: swaps a folder with a link to the outside and back, until it reads a line. */
import { renameSync, rmSync, symlinkSync, unlinkSync, writeSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'

const { folder, aside, outside } = JSON.parse(process.argv[2] ?? '')
let isOver = false
process.stdin.once('data', () => {
  isOver = true
})
writeSync(1, 'swapping\n')
const swap = () => {
  try {
    renameSync(folder, aside)
    symlinkSync(outside, folder)
    unlinkSync(folder)
    renameSync(aside, folder)
  } catch {
    // While the folder was moved away, the writer created a new one.
    rmSync(aside, { recursive: true, force: true })
  }
}

while (!isOver) {
  for (let round = 0; round < 20; round++) swap()
  await setImmediate()
}
writeSync(1, 'stopped\n')
process.exit()
