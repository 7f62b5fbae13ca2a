package main

import (
	"slices"
	"strings"

	"github.com/vmware/govmomi/simulator"
	"github.com/vmware/govmomi/vim25/methods"
	"github.com/vmware/govmomi/vim25/soap"
	"github.com/vmware/govmomi/vim25/types"
)

// viewManager makes list views that may change while a client waits for updates of what they hold. In the simulator's own,
// a change locks the view and then the filters that look through it, and a wait the filter and then the view: where both
// meet, neither goes on, nor does anybody who waits for that session's updates.
type viewManager struct {
	simulator.ViewManager
}

func useViews(registry *simulator.Registry) {
	registry.Put(&viewManager{*registry.ViewManager()})
}

func (m *viewManager) CreateListView(ctx *simulator.Context, req *types.CreateListView) soap.HasFault {
	made := m.ViewManager.CreateListView(ctx, req)
	if body, ok := made.(*methods.CreateListViewBody); ok && body.Res != nil {
		view := ctx.Session.Get(body.Res.Returnval).(*simulator.ListView)
		ctx.Session.Put(&listView{ListView: *view})
	}
	return made
}

type listView struct {
	simulator.ListView
}

// Lock and Unlock keep the simulator from locking a view before the call of one of its methods.
func (*listView) Lock() {}

func (*listView) Unlock() {}

func (v *listView) ModifyListView(ctx *simulator.Context, req *types.ModifyListView) soap.HasFault {
	for _, ref := range append(filtersThrough(ctx, v.Self), v.Self) {
		defer ctx.Map.AcquireLock(ctx, ref)()
	}
	return v.ListView.ModifyListView(ctx, req)
}

func filtersThrough(ctx *simulator.Context, view types.ManagedObjectReference) []types.ManagedObjectReference {
	var refs []types.ManagedObjectReference
	for _, object := range ctx.Session.AllReference("PropertyFilter") {
		filter, ok := object.(*simulator.PropertyFilter)
		if !ok {
			continue
		}
		if slices.ContainsFunc(filter.Spec.ObjectSet, func(set types.ObjectSpec) bool { return set.Obj == view }) {
			refs = append(refs, filter.Self)
		}
	}
	slices.SortFunc(refs, func(a, b types.ManagedObjectReference) int { return strings.Compare(a.Value, b.Value) })
	return refs
}
