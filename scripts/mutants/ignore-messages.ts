/**
 * Leaves out the text of messages: no caller may depend on the words of an error, so no test compares them, and each would survive. A
 * literal with a space in it counts as a message. Codes, roles, origins and paths have none, and their mutants stay.
 */
type Literal = { readonly type: string; readonly value?: string; readonly quasis?: readonly { readonly value: { readonly raw: string } }[] }

const textOf = (node: Literal): string => {
  if (node.type === 'StringLiteral') return node.value ?? ''
  return node.type === 'TemplateLiteral' ? (node.quasis ?? []).map((part) => part.value.raw).join('') : ''
}

const shouldIgnore = ({ node }: { readonly node: Literal }): string | undefined =>
  textOf(node).includes(' ') ? 'the words of a message' : undefined

export const strykerPlugins = [{ kind: 'Ignore', name: 'messages', value: { shouldIgnore } }]
