package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"sync"

	"github.com/vmware/govmomi/simulator"
	"github.com/vmware/govmomi/vim25/mo"
	"github.com/vmware/govmomi/vim25/types"
)

type control struct {
	service *simulator.Service
	mutex   sync.Mutex
	calls   map[string]int
	next    int
}

func newControl(service *simulator.Service) *control {
	c := &control{service: service, calls: map[string]int{}}
	service.HandleFunc("/control/guest", handle(c.guest))
	service.HandleFunc("/control/fault", handle(c.fault))
	service.HandleFunc("/control/calls", handle(c.counted))
	return c
}

func handle[T any](act func(T) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var input T
		if r.Method == http.MethodPost {
			if err := json.NewDecoder(r.Body).Decode(&input); err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
		}
		answer, err := act(input)
		if err != nil {
			http.Error(w, err.Error(), http.StatusConflict)
			return
		}
		_ = json.NewEncoder(w).Encode(answer)
	}
}

type guestReport struct {
	VM        string     `json:"vm"`
	Addresses [][]string `json:"addresses"`
	Tools     *bool      `json:"tools"`
}

// guest lets a VM report addresses, one list for each network card, and whether its tools run.
func (c *control) guest(report guestReport) (any, error) {
	// Whoever has the same context shares a lock: each report gets one of its own.
	own := *c.service.Context
	ctx := &own
	vm, ok := ctx.Map.Get(types.ManagedObjectReference{Type: "VirtualMachine", Value: report.VM}).(*simulator.VirtualMachine)
	if !ok {
		return nil, fmt.Errorf("no VM %s", report.VM)
	}
	ctx.WithLock(vm, func() {
		changes := []types.PropertyChange{}
		if report.Addresses != nil {
			changes = append(changes, types.PropertyChange{Name: "guest.net", Val: nics(vm, report.Addresses)})
		}
		if report.Tools != nil {
			running := string(types.VirtualMachineToolsRunningStatusGuestToolsNotRunning)
			if *report.Tools {
				running = string(types.VirtualMachineToolsRunningStatusGuestToolsRunning)
			}
			changes = append(changes, types.PropertyChange{Name: "guest.toolsRunningStatus", Val: running})
			// The simulator cannot assign an optional boolean by its name.
			vm.Guest.GuestStateChangeSupported = report.Tools
		}
		ctx.Update(vm, changes)
	})
	return map[string]string{}, nil
}

func nics(vm *simulator.VirtualMachine, addresses [][]string) []types.GuestNicInfo {
	result := []types.GuestNicInfo{}
	for _, device := range vm.Config.Hardware.Device {
		card, ok := device.(types.BaseVirtualEthernetCard)
		if !ok {
			continue
		}
		ethernet := card.GetVirtualEthernetCard()
		nic := types.GuestNicInfo{MacAddress: ethernet.MacAddress, Connected: true, DeviceConfigId: ethernet.Key}
		if index := len(result); index < len(addresses) {
			nic.IpAddress = addresses[index]
			nic.IpConfig = &types.NetIpConfigInfo{}
			for _, address := range addresses[index] {
				nic.IpConfig.IpAddress = append(nic.IpConfig.IpAddress, types.NetIpConfigInfoIpAddress{
					IpAddress: address, PrefixLength: 24, State: "preferred",
				})
			}
		}
		result = append(result, nic)
	}
	return result
}

type faultRule struct {
	Method  string `json:"method"`
	Name    string `json:"name"`
	Kind    string `json:"kind"`
	Message string `json:"message"`
	Count   int    `json:"count"`
	Skip    int    `json:"skip"`
	Clear   bool   `json:"clear"`
}

var faultTypes = map[string]simulator.FaultType{
	"":                      simulator.FaultTypeGeneric,
	"NotAuthenticated":      simulator.FaultTypeNotAuthenticated,
	"NoPermission":          simulator.FaultTypeNoPermission,
	"ResourceInUse":         simulator.FaultTypeResourceInUse,
	"InsufficientResources": simulator.FaultTypeInsufficientResourcesFault,
	"Network":               simulator.FaultTypeNetworkFailure,
	"Timeout":               simulator.FaultTypeTimeout,
}

// fault makes calls of one method fail, all of them or as many as count says.
func (c *control) fault(rule faultRule) (any, error) {
	if rule.Clear {
		c.service.ClearFaultRules()
		return map[string]string{}, nil
	}
	kind, ok := faultTypes[rule.Kind]
	if !ok {
		return nil, fmt.Errorf("no fault %q", rule.Kind)
	}
	name := rule.Name
	if name == "" {
		name = "*"
	}
	c.service.AddFaultRule(&simulator.FaultInjectionRule{
		MethodName: rule.Method, ObjectType: "*", ObjectName: name, Probability: 1, FaultType: kind,
		Message: rule.Message, MaxCount: rule.Count, SkipCount: rule.Skip, Enabled: true,
	})
	return map[string]string{}, nil
}

var method = regexp.MustCompile(`<(?:\w+:)?Body[^>]*>\s*<(?:\w+:)?(\w+)`)

// count notes each SOAP method and each REST path before the simulator sees it.
func (c *control) count(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := r.Method + " " + r.URL.Path
		if r.Body != nil && r.Header.Get("SOAPAction") != "" {
			body, _ := io.ReadAll(r.Body)
			r.Body = io.NopCloser(bytes.NewReader(body))
			if found := method.FindSubmatch(body); found != nil {
				name = string(found[1])
			}
		}
		c.mutex.Lock()
		c.calls[name]++
		c.mutex.Unlock()
		next.ServeHTTP(w, r)
	})
}

func (c *control) counted(struct{}) (any, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	answer := map[string]int{}
	for name, count := range c.calls {
		answer[name] = count
	}
	return answer, nil
}

// dhcp gives every VM that begins to run an address on each network card. It is told by the simulator's registry: a view of
// all machines with a filter on it takes the locks of both in either order, and the simulator stands still for ever.
type dhcp struct {
	control *control
	prefix  string
}

func (d *dhcp) Reference() types.ManagedObjectReference {
	return types.ManagedObjectReference{Type: "AddressServer", Value: "dhcp"}
}

func (d *dhcp) UpdateObject(_ *simulator.Context, object mo.Reference, changes []types.PropertyChange) {
	if object.Reference().Type != "VirtualMachine" {
		return
	}
	for _, change := range changes {
		if change.Name == "runtime.powerState" && change.Val == types.VirtualMachinePowerStatePoweredOn {
			// Later: whoever reports the change holds the lock of the machine.
			go d.control.assign(object.Reference().Value, d.prefix)
		}
	}
}

func (d *dhcp) PutObject(*simulator.Context, mo.Reference) {}

func (d *dhcp) RemoveObject(*simulator.Context, types.ManagedObjectReference) {}

func (c *control) assign(vm string, prefix string) {
	addresses := [][]string{}
	c.mutex.Lock()
	for range 8 {
		c.next++
		addresses = append(addresses, []string{fmt.Sprintf("%s.%d.%d", prefix, c.next/250, c.next%250+1)})
	}
	c.mutex.Unlock()
	tools := true
	_, _ = c.guest(guestReport{VM: vm, Addresses: addresses, Tools: &tools})
}
