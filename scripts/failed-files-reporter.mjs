// A vitest reporter for scripts/run-tests.mjs: writes the failed files and their projects to the file named by an
// environment variable. vitest's own JSON report contains neither the project of a file nor errors outside of tests,
// which also fail a run.
import { writeFileSync } from 'node:fs';

export const reportVariable = 'SLIPWAY_TEST_REPORT';

export default class FailedFilesReporter {
  onTestRunEnd(testModules, unhandledErrors, reason) {
    const path = process.env[reportVariable];
    if (path === undefined) return;
    const failed = testModules.filter(
      (module) => module.state() === 'failed' || unhandledErrors.some((error) => fileOf(error) === module.moduleId),
    );
    const report = {
      reason,
      files: failed.map((module) => ({ file: module.moduleId, project: module.project.name })),
      // Errors that belong to no file. They cannot be retried.
      errors: unhandledErrors.filter((error) => fileOf(error) === undefined).map((error) => error.message),
    };
    writeFileSync(path, JSON.stringify(report));
  }
}

/** Returns the test file that ran when the error was thrown. */
function fileOf(error) {
  return error.VITEST_TEST_PATH;
}
