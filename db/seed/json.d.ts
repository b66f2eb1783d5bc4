/** Read whole by the compiler, the catalogue's three megabytes would cost every check ten seconds. */
declare module '*.json' {
  const value: unknown
  export default value
}
