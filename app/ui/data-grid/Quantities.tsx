import { Fragment } from 'react'

/**
 * A number with its unit: "500 mg", "100 tablets". A unit of more letters, like "suppositories",
 * may go to the next line: with its number it is wider than a column.
 */
const quantity = /(\d[\d.,]*(?:\s?(?:%|[\p{L}µ]{1,9}(?![\p{L}µ])))?)/u

/**
 * A text in which no number is broken or separated from a short unit. "167/2.5 mg/5 mL" may break
 * after each slash: a strength that is cut off reads as another one.
 */
export const Quantities = ({ text }: { text: string }) =>
  text.split(quantity).map((part, index) =>
    index % 2 === 1 ? (
      <span key={index} className="whitespace-nowrap">
        {part}
      </span>
    ) : part.startsWith('/') && index > 0 ? (
      <Fragment key={index}>
        /<wbr />
        {part.slice(1)}
      </Fragment>
    ) : (
      part
    ),
  )
