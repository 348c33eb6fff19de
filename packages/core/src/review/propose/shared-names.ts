/** Names that several skills share. Who wrote a skill is kept under its name alone, so of these nobody can tell which one the agent wrote. Pure. */

export const sharedNames = (skills: readonly { readonly name: string }[]): ReadonlySet<string> => {
  const seen = new Set<string>()
  return new Set(skills.filter(({ name }) => seen.size === seen.add(name).size).map(({ name }) => name))
}
