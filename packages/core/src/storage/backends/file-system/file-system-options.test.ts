/** Options of the file system back end are checked before anything is opened. */
import { describe, expect, it } from 'vitest'
import { checkFileSystemOptions } from './file-system-options.ts'
import { fileSystemBackend } from './index.ts'

// Values that JavaScript callers may pass.
const open =
  (...args: readonly unknown[]) =>
  () =>
    Reflect.apply(fileSystemBackend, undefined, args)

describe('the options of the file system back end', () => {
  it.each<[string, readonly unknown[]]>([
    ['a home alone', ['/tmp/home']],
    ['no time to wait', ['/tmp/home', { timeoutMs: 0 }]],
    ['the longest time', ['/tmp/home', { timeoutMs: 2 ** 31 - 1 }]],
    ['undefined for a default', ['/tmp/home', { timeoutMs: undefined, lock: undefined, onWarning: undefined, linkedDocuments: undefined }]],
    ['the lock that the system has', ['/tmp/home', { lock: 'auto' }]],
    ['permissions that are made private', ['/tmp/home', { permissions: 'private' }]],
    [
      'all of them',
      [
        '/tmp/home',
        {
          lock: 'exclusive-file',
          linkedDocuments: [],
          onWarning: () => undefined,
          permissions: 'keep',
          timeoutMs: 1,
        },
      ],
    ],
  ])('take %s', (_, args) => {
    expect(open(...args)).not.toThrow()
  })

  it.each<[string, readonly unknown[], RegExp]>([
    ['a wait that is no number', ['h', { timeoutMs: Number.NaN }], /'timeoutMs' must be .*, but is NaN \(number\)/],
    ['an endless wait', ['h', { timeoutMs: Number.POSITIVE_INFINITY }], /'timeoutMs' must be .*, but is Infinity \(number\)/],
    ['a negative wait', ['h', { timeoutMs: -5 }], /'timeoutMs'.*-5 \(number\)/],
    ['half a millisecond', ['h', { timeoutMs: 0.5 }], /'timeoutMs'.*0\.5 \(number\)/],
    ['a wait no timer can keep', ['h', { timeoutMs: 2 ** 31 }], /'timeoutMs'.*2147483648 \(number\)/],
    ['a text for a number', ['h', { timeoutMs: '10s' }], /'timeoutMs'.*"10s" \(string\)/],
    ['null for a number', ['h', { timeoutMs: null }], /'timeoutMs'.*null \(null\)/],
    ['an unknown lock', ['h', { lock: 'flock' }], /'lock' must be 'auto' or 'exclusive-file', but is "flock" \(string\)/],
    ['unknown permissions', ['h', { permissions: '' }], /'permissions' must be 'private' or 'keep', but is "" \(string\)/],
    ['a listener that is none', ['h', { onWarning: true }], /'onWarning' must be a function, but is true \(boolean\)/],
    ['one document for a list', ['h', { linkedDocuments: 'config.yaml' }], /'linkedDocuments' must be a list.*"config\.yaml" \(string\)/],
    [
      'a list of something else',
      ['h', { linkedDocuments: ['a', 7] }],
      /'linkedDocuments\[1\]' must be a document path, but is 7 \(number\)/,
    ],
    [
      'an unknown option',
      ['h', { lockTimeout: 5 }],
      /no option 'lockTimeout' \(it is 5 \(number\)\)\. The options are timeoutMs, onWarning/,
    ],
    ['no home', [], /'home' must be .*, but is undefined \(undefined\)/],
    ['an empty home', [''], /'home' must be .*, but is "" \(string\)/],
    ['a number for a home', [5], /'home' must be .*, but is 5 \(number\)/],
    ['a list for a home', [['h']], /'home' must be .*, but is a value of type array/],
    ['a home that no system can open', ['a\0b'], /'home' must be/],
    ['a text for the options', ['h', 'auto'], /'options' must be .*"auto" \(string\)/],
    ['null for the options', ['h', null], /'options' must be .*null \(null\)/],
  ])('refuse %s as a programmer’s error that quotes it', (_, args, message) => {
    expect(open(...args)).toThrow(TypeError)
    expect(open(...args)).toThrow(message)
  })

  it('are refused by name even if a value cannot be shown', () => {
    expect(() => checkFileSystemOptions(Symbol('home'), {})).toThrow(/'home' must be .*Symbol\(home\) \(symbol\)/)
    expect(() => checkFileSystemOptions('h', { lock: Object.create(null) })).toThrow(/'lock' must be .*a value of type object/)
  })
})
