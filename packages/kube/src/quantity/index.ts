export {
  addQuantities,
  canonicalQuantity,
  formatQuantity,
  parseQuantity,
  type Quantity,
  quantityMilliValue,
  quantityValue,
  subtractQuantities,
} from './quantity.js';
