import { expect, it } from 'vitest'
import { adoptIndentOf } from './patch-indent.ts'

const adoptIndent = (region: string, quoted: string, newText: string) => adoptIndentOf(quoted)(region, newText)

it('shifts lines by what separates the quoted text from the file', () => {
  expect(adoptIndent('    if x:\n        return 1', 'if x:\n    return 1', 'if y:\n    a()\n    return 3')).toBe(
    '    if y:\n        a()\n        return 3',
  )
})

it('takes tabs from a file with tabs, also for lines deeper than the first', () => {
  expect(adoptIndent('\tdo it\n\t\tnow', 'do it\n    now', 'do that\n    later\n    still')).toBe('\tdo that\n\t\tlater\n\t\tstill')
})

it('keeps the nesting of lines that were quoted right when only the first was not', () => {
  expect(adoptIndent('x:\n  a: 1', '   x:\n  a: 1', 'y:\n  b: 2')).toBe('y:\n  b: 2')
})

it('restores nesting that the quoted text had lost, line by line', () => {
  expect(adoptIndent('if x:\n    go()', 'if x:\ngo()', 'if y:\nstop()')).toBe('if y:\n    stop()')
})

it('keeps what an unknown deeper line adds, and holds a shallower one at the first line', () => {
  expect(adoptIndent('    a', '  a', '  b\n    c\nd')).toBe('    b\n      c\n    d')
})

it('leaves blank lines and a text with the indent of the file as they are', () => {
  expect(adoptIndent('  a', 'a', 'b\n \nc')).toBe('  b\n \n  c')
  expect(adoptIndent('    a', '    a', 'b')).toBe('b')
})
