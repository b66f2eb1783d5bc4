/** The compiler would need ten seconds per check to read the catalog's three megabytes. */
declare module '*.json' {
  const value: unknown
  export default value
}
