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
    title: 'Brand or generic: what’s the same and what differs',
    category: 'Education',
    date: '2025-01-15',
    excerpt:
      'A generic has the same active ingredient, strength, dosage form and route as its brand, and must be shown to work in the body the same way. Color, shape and inactive ingredients may differ, and so may the price. If an inactive ingredient matters to you, ask your pharmacist.',
    image: education,
    imageAlt: 'A brand’s carton and bottle next to a generic’s bottle, with the same tablet in front of each',
  },
  {
    title: 'Where to store your medicines',
    category: 'Safety',
    date: '2025-01-08',
    excerpt:
      'A bathroom cabinet is warm and damp, which can damage many medicines. Store most of them in a dry place at 20 to 25\u00a0°C (68 to 77\u00a0°F), in their own container, away from light and out of reach of children. Read the label first: some belong in the refrigerator.',
    image: safety,
    imageAlt:
      'An open cabinet with medicines in their own containers, and a thermometer marking 20 to 25 degrees',
  },
  {
    title: 'NDC, DIN, UPC: the numbers on a package',
    category: 'Industry',
    date: '2024-12-18',
    excerpt:
      'The NDC identifies a medicine’s labeler, product and package in the United States. The DIN, eight digits, identifies a product in Canada. The UPC is the barcode a store scans. Search for any of them to find the exact package in your hand.',
    image: industry,
    imageAlt: 'A carton with a barcode and labels reading NDC, DIN and UPC',
  },
]
