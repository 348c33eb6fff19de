/** Does something while `process.platform` is that of another system; nothing else of the system changes. */
export const onPlatform = async <T>(platform: string, act: () => Promise<T>): Promise<T> => {
  const before = process.platform
  Object.defineProperty(process, 'platform', { value: platform })
  try {
    return await act()
  } finally {
    Object.defineProperty(process, 'platform', { value: before })
  }
}
