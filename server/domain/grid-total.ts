/** A grid counts its matching rows up to this; a longer list costs no more. */
export const countedRows = 10_000

/** A grid's number of rows as text: "1,025", or "more than 10,000". */
export const formatTotal = (total: number): string =>
  total > countedRows ? `more than ${countedRows.toLocaleString('en-US')}` : total.toLocaleString('en-US')
