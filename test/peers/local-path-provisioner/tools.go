//go:build tools

// Package peers names the programs that are built from this module, so that `go mod tidy` keeps what they need.
package peers

import (
	_ "github.com/rancher/local-path-provisioner"
)
