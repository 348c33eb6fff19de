/** Properties of the output that a command needs to know. */
import pc from 'picocolors'
import type { World } from '../world.ts'

export interface Paint {
  readonly dim: (text: string) => string
  readonly bold: (text: string) => string
  readonly red: (text: string) => string
  readonly green: (text: string) => string
  readonly yellow: (text: string) => string
}

export interface Terminal {
  /** Width in cells; infinite if stdout is not a terminal, so that nothing is cut for a program. */
  readonly columns: number
  readonly paint: Paint
  /** Colours for stderr, which may be a terminal even if stdout is not. */
  readonly errorPaint: Paint
  readonly errorColumns: number
}

interface Screen {
  readonly isTTY?: boolean
  readonly columns?: number
}

const isSet = (value: string | undefined): value is string => value !== undefined && value !== ''

const hasColour = (screen: Screen, { env }: World, noColour: boolean): boolean => {
  if (noColour || isSet(env['NO_COLOR'])) return false
  if (isSet(env['FORCE_COLOR'])) return env['FORCE_COLOR'] !== '0'
  return screen.isTTY === true && env['TERM'] !== 'dumb'
}

/** Infinite in a pipe, whatever the environment says. `COLUMNS` is for terminals that do not report their width. */
const widthOf = (screen: Screen, { env }: World): number => {
  if (screen.isTTY !== true) return Number.POSITIVE_INFINITY
  if (screen.columns !== undefined && screen.columns > 0) return screen.columns
  const told = Number(env['COLUMNS'])
  return Number.isInteger(told) && told > 0 ? told : Number.POSITIVE_INFINITY
}

const toPaint = (enabled: boolean): Paint => {
  const { dim, bold, red, green, yellow } = pc.createColors(enabled)
  return { dim, bold, red, green, yellow }
}

export const createTerminal = (world: World, noColour: boolean): Terminal => ({
  columns: widthOf(world.stdout, world),
  paint: toPaint(hasColour(world.stdout, world, noColour)),
  errorPaint: toPaint(hasColour(world.stderr, world, noColour)),
  errorColumns: widthOf(world.stderr, world),
})

/** To show something on stderr before the result. */
export const forStderr = (terminal: Terminal): Terminal => ({ ...terminal, columns: terminal.errorColumns, paint: terminal.errorPaint })
