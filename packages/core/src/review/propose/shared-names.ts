/** Names that several skills share. Authorship is stored by name alone, so it is unknown for these skills. Pure. */

export const sharedNames = (skills: readonly { readonly name: string }[]): ReadonlySet<string> => {
  const seen = new Set<string>()
  return new Set(skills.filter(({ name }) => seen.size === seen.add(name).size).map(({ name }) => name))
}
