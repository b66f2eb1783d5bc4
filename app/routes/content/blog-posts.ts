import education from './blog-education.svg'
import industry from './blog-industry.svg'
import safety from './blog-safety.svg'

export type BlogPost = {
  title: string
  category: 'Education' | 'Safety' | 'Industry'
  /** `YYYY-MM-DD` */
  date: string
  excerpt: string
  image: string
  /** The picture's alternative text. */
  imageAlt: string
}

/** The posts of /blog, newest first. */
export const blogPosts: readonly BlogPost[] = [
  {
    title: 'Brand or generic: what is the same, and what may differ',
    category: 'Education',
    date: '2025-01-15',
    excerpt:
      'A generic has the same active ingredient, strength, dosage form and route as its brand, and must be shown to work in the body the same way. Colour, shape and inactive ingredients may differ, and so does the price. If an inactive ingredient matters to you, ask your pharmacist.',
    image: education,
    imageAlt: 'A brand’s carton and bottle beside a generic’s bottle, with the same tablet in front of both',
  },
  {
    title: 'A good place for your medicines',
    category: 'Safety',
    date: '2025-01-08',
    excerpt:
      'The bathroom cabinet is warm and damp, which many medicines do not take well. Most keep best in a dry place at 20 to 25\u00a0°C, in their own container, out of the light and out of the reach of children. Read the label first: some belong in the refrigerator.',
    image: safety,
    imageAlt:
      'An open cupboard with medicines in their own containers, and a thermometer that marks 20 to 25 degrees',
  },
  {
    title: 'NDC, DIN, UPC: the numbers on a package',
    category: 'Industry',
    date: '2024-12-18',
    excerpt:
      'The NDC names a medicine’s labeler, product and package in the United States; the DIN, eight digits, names a product in Canada; the UPC is the barcode that the till reads. Any of them finds exactly the package that you hold in your hand.',
    image: industry,
    imageAlt: 'A carton with a barcode, and labels that read NDC, DIN and UPC',
  },
]
