export { checkRules, type RuleCheckInput, type RuleNode } from './check-rules.js';
export { evaluateRules, OBJECT_COST_MAX, type RuleEvaluationInput } from './evaluate-rules.js';
