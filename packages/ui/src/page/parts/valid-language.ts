/** The language in which numbers are written. Some browsers report one that no standard knows, such as `en-US@posix` under `LANG=C`. */

const isValid = (language: string): boolean => {
  try {
    return Intl.NumberFormat.supportedLocalesOf(language).length > 0
  } catch {
    return false
  }
}

/** The language itself, else what is before its first odd character, else English. Pure. */
export const validLanguage = (language: string): string =>
  [language, /^[a-z\d-]*/i.exec(language)?.[0] ?? ''].find((each) => each !== '' && isValid(each)) ?? 'en'

/** For libraries that read `navigator.language` while they load and cannot be told another one. */
export const mendLanguage = (): void => {
  const language = validLanguage(navigator.language)
  if (language !== navigator.language) Object.defineProperty(navigator, 'language', { value: language, configurable: true })
}
