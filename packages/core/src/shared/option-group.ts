/** A group of options. */
import * as z from 'zod/mini'

type Late<Group extends z.ZodMiniType> = z.ZodMiniLazy<Group>

/** `preset`: the group where it was left out; its schema is not built then. The fields of `build` have the same defaults. */
export const optionGroup = <Group extends z.ZodMiniType>(preset: z.util.NoUndefined<z.output<Late<Group>>>, build: () => Group) =>
  z._default<Late<Group>>(z.lazy(build), preset)
